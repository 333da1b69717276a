/** Begins a game: makes a table and goes there. */
import { api, ServerError } from "../net/api";
import { keep } from "../net/tokens";
import type { NewTable } from "../net/types";
import { say } from "../words";
import { botOf } from "./bots.svelte";
import { newWord } from "./words";
import { tell } from "./notices.svelte";
import { go } from "./route.svelte";
import { settings } from "./settings.svelte";

export async function begin(wanted: NewTable, hash = ""): Promise<void> {
  try {
    const made = await api.make(wanted);
    keep(made.table, made);
    go(`/t/${made.table}${hash}`);
  } catch (error) {
    tell((error instanceof ServerError && error.message) || say("unreachable"), "bad");
  }
}

/** A game against bots, as it comes: where nobody wants to choose anything. */
export function playNow(game: string, players: string[]): Promise<void> {
  return begin({ game, seats: againstBots(players), undo: true, pace: 0 });
}

/** The moment of a game once more: whoever's turn it was is here, the others are bots. */
export async function tryAgain(id: string, players: string[], turn: string, moment: { ply?: number; position?: unknown }): Promise<void> {
  const others = players.filter((player) => player !== turn);
  try {
    const made = await api.again(id, { seats: againstBots([turn, ...others]), undo: true, pace: 0, ...moment });
    keep(made.table, made);
    go(`/t/${made.table}`);
  } catch (error) {
    tell((error instanceof ServerError && error.message) || say("unreachable"), "bad");
  }
}

/** One person against bots that are neither too easy nor too hard, shown at the pace of the page. */
export function againstBots(players: string[]): NonNullable<NewTable["seats"]> {
  const [first = "", ...others] = players;
  const bots = others.map((player) => [player, { kind: "bot" as const, bot: botOf("medium") }]);
  return { [first]: myself(), ...Object.fromEntries(bots) };
}

/** The seat of whoever is here, with a word of their own for the dice. */
export function myself(name = settings.name): NonNullable<NewTable["seats"]>[string] {
  return { kind: "person", name, face: settings.face, entropy: newWord() };
}

/** A first game of a minute: two pieces each, one of them nearly home, an enemy just ahead. */
export function guidedGame(): Promise<void> {
  const position = {
    pieces: { green: ["start", 46], blue: [2, "start"] },
    turn: "green",
  };
  return begin(
    {
      game: "classic",
      players: 2,
      options: { "board.pieces": 2, "turn.attempts": 3 },
      seats: { green: { kind: "person", name: settings.name }, blue: { kind: "bot", bot: botOf("easy") } },
      pace: 0,
      undo: true,
      position,
      seed: 11,
    },
    "#guide",
  );
}
