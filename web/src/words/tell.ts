/** What happened and what a move does, in sentences: from events and facts, never from notation. Knows no rule. */
import type { Event, Move, Place, Scene } from "../board/scene";
import { settings } from "../state/settings.svelte";
import { capital, say, type Key } from ".";

export interface Teller {
  scene: Scene;
  places: Map<string, Place>;
  /** A player by name, as it begins a sentence. */
  name(player: string): string;
  /** Whether a sentence about a player speaks to the reader. */
  isYou(player: string): boolean;
}

/** A step of a table or a frame of a replay, as far as it is told. */
export interface Told {
  kind: string;
  by: string;
  player?: string;
  text: string;
  words: string;
  events?: Event[];
  move?: Move | null;
}

type Values = Record<string, string | number>;

/** A sentence about a step; the server's own where there is nothing better to say. */
export function tellStep(step: Told, teller: Teller): string {
  const player = step.player ?? step.by;
  const told = step.kind === "roll" ? rollDone(step, teller, player) : step.kind === "move" ? moveDone(step, teller, player) : [];
  if (step.kind === "undo" || step.kind === "sit" || step.kind === "time") return sentence(player, [does(step.kind, teller.isYou(player))], teller);
  if (told.length) return sentence(player, told, teller);
  return named(step.words, player, teller);
}

/** What a move would do, without saying who does it. */
export function tellMove(move: Move, teller: Teller): string {
  if (move.kind === "give" || move.kind === "discard") return move.text;
  // other families say it better themselves
  const does = teller.scene.family === "ludo" ? predicates(eventsOf(move), move.player, teller, false, move) : [];
  return does.length ? does.join(", ") : move.text;
}

/** A place as people call it: "two from home", not "end:3". */
export function tellPlace(place: Place, teller: Pick<Teller, "scene" | "places">): string {
  const detail = place.id.includes(":") ? (place.id.split(":")[1] ?? "") : place.label;
  if (place.kind === "end") return fromHome(place, teller.places);
  if (place.kind === "finish") return say("place_finish");
  if (place.kind === "yard") return say("place_yard");
  if (place.kind === "held") return say("place_held", { player: titleOf(detail, teller.scene) });
  return say("place_path", { label: place.label });
}

function titleOf(player: string, scene: Scene): string {
  return scene.players.find((one) => one.player === player)?.title ?? player;
}

/** How far a place of an end path is from its end: counted over the places of that path. */
function fromHome(place: Place, places: Map<string, Place>): string {
  const colour = place.id.split("/")[0];
  const lane = [...places.values()].filter((one) => one.kind === "end" && one.colour === place.colour);
  const hasFinish = places.has(`${colour}/finish`);
  const left = lane.length - lane.findIndex((one) => one.id === place.id) - (hasFinish ? 0 : 1);
  if (left === 0) return say("place_finish");
  return left === 1 ? say("one_from_home") : say("from_home", { count: number(left) });
}

const NUMBERS: Key[] = ["n_2", "n_3", "n_4", "n_5", "n_6", "n_7", "n_8"];

function number(count: number): string {
  const key = NUMBERS[count - 2];
  return key ? say(key) : String(count);
}

// ---------------------------------------------------------------- rolls

function rollDone(step: Told, teller: Teller, player: string): string[] {
  const you = teller.isYou(player);
  const thrown = thrownOf(step.text, teller.scene, you);
  if (!thrown) return [];
  const more = (step.events ?? []).flatMap((event) => predicate(event, you, teller, false));
  return [thrown, ...more];
}

function thrownOf(text: string, scene: Scene, you: boolean): string | null {
  if (/^\d+$/.test(text)) return does("roll", you, { face: text });
  if (/^\d+(,\d+)+$/.test(text)) return does("roll_many", you, { faces: joined(text.split(",")) });
  return scene.device === "dice" ? null : castOf(text, scene, you);
}

const STICKS = ["mo", "do", "gae", "geol", "yut"] as const;
const CARDS = ["ace", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "jack", "queen", "king", "joker", "strike"] as const;

/** A card as people call it. */
export function cardName(name: string): string {
  const card = CARDS.find((one) => one === name);
  return card ? say(`card_${card}`) : name;
}

/** A roll on a button or in a list: "6, 1", "a seven", "3 flat". */
export function rollName(roll: string, scene: Scene): string {
  const [device = "", face = ""] = roll.split(":");
  const stick = STICKS[Number(face)];
  if (device === "sticks" && face === "marked") return say("stick_marked");
  if (device === "sticks" && stick && "die:5" in scene.tokens) return say(`stick_${stick}`);
  if (device === "sticks") return say("roll_flat", { count: face });
  if (device === "cowries") return say("roll_cowries", { count: face });
  if (device === "card") return cardName(face);
  return face || device.split(",").join(", ");
}

/** What is left of a roll to be played: 5, "an ace", "a bonus of 20", "swap". */
export function tokenName(token: string | number): string {
  const text = String(token);
  const [, kind = "", count = ""] = /^(b|split|rest|other|any)([+-]?\d+)$/.exec(text) ?? [];
  if (kind === "b") return say("token_bonus", { count });
  if (kind === "other" || kind === "any") return say(`token_${kind}`, { count });
  if (kind) return say("token_rest", { count });
  return text === "swap" || text === "out" || text === "finish" ? say(`token_${text}`) : cardName(text);
}

function castOf(text: string, scene: Scene, you: boolean): string | null {
  const [device = "", face = ""] = text.split(":");
  const stick = STICKS[Number(face)];
  if (device === "sticks" && face === "marked") return does("sticks", you, { name: say("stick_marked") });
  // the names are those of Yut, where no flat stick is the best throw; elsewhere they are counted
  if (device === "sticks" && stick && "die:5" in scene.tokens) return does("sticks", you, { name: say(`stick_${stick}`) });
  if (device === "sticks") return does("flat", you, { count: face });
  if (device === "cowries") return does("cowries", you, { count: face });
  if (device === "card") return does("card", you, { name: cardName(face) });
  return device === "spinner" ? does("spin", you, { face }) : null;
}

// ---------------------------------------------------------------- moves

function moveDone(step: Told, teller: Teller, player: string): string[] {
  const you = teller.isYou(player);
  if (step.text === "pass") return [does("pass", you)];
  // what others give is their secret: the server's words do not say it
  if (step.move?.card && step.move.kind === "give") return [does("give", you, { card: cardName(step.move.card) })];
  if (step.move?.card && step.move.kind === "discard") return [does("discard", you, { card: cardName(step.move.card) })];
  const told = (step.events ?? []).filter((event) => event.what !== "turn_passed" || event.name !== "played");
  return predicates(told, player, teller, you, step.move ?? null);
}

/** The events that a move's facts foretell. */
function eventsOf(move: Move): Event[] {
  const event = (what: string, more: Partial<Event> = {}): Event => ({
    what, player: move.player, piece: move.pieces[0] ?? null, origin: move.origin, target: move.target, number: null, name: null, ...more,
  }); // prettier-ignore
  const ways: Record<string, string> = { out: "came_out", out_and_on: "came_out", special: "came_out", buy: "bought", swap: "swapped", pass: "turn_passed" };
  const told = [event(ways[move.kind] ?? "moved", { number: move.pieces.length, name: move.kind === "pass" ? "no_move" : null })];
  if (move.kind === "out_and_on") told.push(event("moved"));
  for (const { player, place } of move.captures) told.push(event("captured", { player, origin: place }));
  for (const { player, place } of move.swaps ?? []) told.push(event("swapped", { player, origin: place }));
  if (move.bounces) told.push(event("bounced"));
  if (move.jumps) told.push(event("jumped"));
  if (move.sent_home) told.push(event("sent_home"));
  if (move.finishes) told.push(event("came_home"));
  if (move.lost) told.push(event("lost_tokens", { number: move.lost }));
  return told;
}

/** Everything that says by itself where a piece went. */
const SAYS_WHERE = new Set(["captured", "jumped", "bounced", "sent_home", "came_home", "swapped"]);

function predicates(events: Event[], player: string, teller: Teller, you: boolean, move: Move | null): string[] {
  const saysWhere = events.some((event) => SAYS_WHERE.has(event.what));
  const isOut = events.some((event) => event.what === "came_out");
  const found: string[] = [];
  for (const event of events) {
    if (event.what === "moved") {
      if (!saysWhere || isOut) found.push(moved(event, teller, you, move));
    } else found.push(...predicate(event, you, teller, event.player !== player));
  }
  return [...new Set(found)];
}

function moved(event: Event, teller: Teller, you: boolean, move: Move | null): string {
  const target = teller.places.get(event.target ?? "");
  if (target?.kind === "end") return does("lane", you, { place: tellPlace(target, teller) });
  const safe = target?.roles.includes("safe") ? `, ${say("to_safety")}` : "";
  const steps = move?.path.length ?? 0;
  if (settings.numbers || !steps) return does("move_to", you, { tile: target?.label ?? event.target ?? "" }) + safe;
  return (steps === 1 ? does("move_one", you) : does("move_on", you, { count: number(steps) })) + safe;
}

const PLAIN: Record<string, Verb> = { came_out: "out", bought: "buy", bounced: "bounce", sent_home: "sent_home", came_home: "home", again: "again" };

function predicate(event: Event, you: boolean, teller: Teller, isOther: boolean): string[] {
  const where = settings.numbers ? say("on_tile", { tile: teller.places.get(event.origin ?? "")?.label ?? "" }) : "";
  const plain = PLAIN[event.what];
  // a piece of somebody else's may be moved onto one's own
  const taken = isOther ? object(event.player, teller) : say(you ? "own_piece_you" : "own_piece");
  if (event.what === "captured") return [does("capture", you, { name: taken, where })];
  if (event.what === "swapped") return isOther ? [does("swap", you, { name: object(event.player, teller) })] : [];
  if (event.what === "jumped") {
    const tile = teller.places.get(event.target ?? "")?.label ?? "";
    return [settings.numbers && tile ? does("jump_to", you, { tile }) : does("jump", you)];
  }
  if (event.what === "lost_tokens") return [does("lose", you, { count: event.number ?? 0 })];
  if (event.what === "bonus") return [won(event.name ?? "", you)];
  if (event.what === "changed") return [say("rules_change")];
  if (event.what === "turn_passed") return passed(event.name, you);
  return plain && !isOther ? [does(plain, you)] : [];
}

/** What somebody wins to play: so many steps, or something else to do. */
function won(token: string, you: boolean): string {
  const steps = token.replace(/^b/, "");
  return /^\d+$/.test(steps) ? does("bonus", you, { name: steps }) : does("win", you, { name: tokenName(token) });
}

function passed(why: string | null, you: boolean): string[] {
  if (why === "no_move") return [does("pass", you)];
  if (why === "in_a_row") return [does("in_a_row", you)];
  return why === "lost_by_roll" || why === "rest_lost" ? [does("lose_turn", you)] : [];
}

// ---------------------------------------------------------------- sentences

type VerbOf<K> = K extends `does_${infer Name}_you` ? Name : never;
type Verb = VerbOf<Key>;

function does(verb: Verb, you: boolean, values: Values = {}): string {
  return say(you ? `does_${verb}_you` : `does_${verb}`, values).trim();
}

function sentence(player: string, does: string[], teller: Teller): string {
  return capital(`${teller.isYou(player) ? say("you_subject") : teller.name(player)} ${joined(does)}`);
}

function object(player: string, teller: Teller): string {
  return teller.isYou(player) ? say("you_object") : teller.name(player);
}

function joined(parts: string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${say("and")} ${parts.at(-1)}`;
}

/** The server's words begin with a colour; a person is called by name. */
function named(words: string, player: string, teller: Teller): string {
  const title = capital(titleOf(player, teller.scene));
  return title && words.startsWith(title) ? teller.name(player) + words.slice(title.length) : words;
}
