/** One table as this browser sees it: what the server told, shown step by step. */
import { tick } from "svelte";
import type { Running } from "../board/animate";
import { castOf, lyingIn, type Cast, type Event, type Move, type Point, type Scene } from "../board/scene";
import { forget, holding, keep } from "../net/tokens";
import { TableSocket, type Link, type Request } from "../net/socket";
import type { ClockNow, FromServer, LogLine, Seat, Step, TableFacts, TableView } from "../net/types";
import { say } from "../words";
import { tell } from "./notices.svelte";
import { isPhrase, keepSilenced, silencedAt, type Phrase } from "./phrases";
import { go } from "./route.svelte";
import { readTime, rollTime, settings, stepTime } from "./settings.svelte";
import { play } from "./sound";

const LONGEST_LOG = 300;
const ABOUT_THE_GAME = new Set(["roll", "move", "undo"]);
/** Milliseconds that what somebody said is shown. */
const HEARD = 6000;
/** More steps than this are not worth watching one by one. */
const MOST_WAITING = 80;

/** What of a board the steps of a table move. */
export interface Stage {
  animate(before: TableView, after: TableView, move: Move | null, events: Event[], step: number): Running;
  settle(): void;
}

export class TableState {
  link = $state<Link>("connecting");
  you = $state<string[]>([]);
  facts = $state.raw<TableFacts | null>(null);
  seats = $state.raw<Seat[]>([]);
  scene = $state.raw<Scene | null>(null);
  view = $state.raw<TableView | null>(null);
  log = $state<LogLine[]>([]);
  /** What was thrown last: it lies there until somebody throws again. */
  cast = $state.raw<Cast | null>(null);
  /** From where to where the last move went. */
  last = $state.raw<{ player: string; from: Point; to: Point } | null>(null);
  /** The step that is being shown, or was shown last. */
  story = $state.raw<LogLine | null>(null);
  /** The ply at which a move was taken back: what was played there is not played again by itself. */
  takenBack = $state(-1);
  /** Steps are still being shown: nothing can be chosen. */
  busy = $state(false);
  private acting = $state<string | null>(null);
  private doneVersion = $state(0);
  hint = $state.raw<{ move: string; words: string; reasons: string[] } | null>(null);
  why = $state.raw<{ piece: string; text: string } | null>(null);
  rematch = $state<string | null>(null);
  clock = $state.raw<ClockNow | null>(null);
  /** What players said a moment ago. */
  said = $state<Record<string, Phrase>>({});
  silenced = $state<string[]>([]);
  /** Set by the page once its board is there. */
  stage: () => Stage | null = () => null;

  private socket: TableSocket;
  private waiting: Step[] = [];
  private asked = new Map<string, string>();
  private hearing = new Map<string, ReturnType<typeof setTimeout>>();
  private withoutTokens = false;
  /** Whoever does not want to watch the others: until it is their turn. */
  private hurried = false;
  private cut: () => void = () => undefined;

  constructor(readonly id: string) {
    this.silenced = silencedAt(id);
    this.socket = this.connect(id);
  }

  /** A request is under way, or its outcome is not on the board yet. */
  get sending(): boolean {
    return this.acting !== null || this.doneVersion > (this.view?.version ?? 0);
  }

  get mine(): boolean {
    const view = this.view;
    if (!view || view.over) return false;
    // cards are dealt by nobody's hand
    if (view.to_move === "chance" && this.scene?.hands) return false;
    const who = view.to_move === "chance" ? view.turn : view.to_move;
    return who !== null && this.you.includes(who) && !this.seat(who)?.bot;
  }

  /** The moves that can be chosen now. */
  get moves(): Move[] {
    return this.mine && !this.busy && !this.sending && this.view?.to_move !== "chance" ? (this.view?.moves ?? []) : [];
  }

  get mayRoll(): boolean {
    return this.mine && !this.busy && !this.sending && this.view?.to_move === "chance";
  }

  seat(player: string): Seat | undefined {
    return this.seats.find((seat) => seat.player === player);
  }

  roll(): void {
    if (this.mayRoll) this.act({ type: "roll", ply: this.view?.ply });
  }

  play(move: Move): void {
    if (this.moves.includes(move)) this.act({ type: "move", ply: this.view?.ply, move: move.move });
  }

  undo(): void {
    if (this.view?.can_undo && this.you.includes(this.view.can_undo) && !this.sending) this.act({ type: "undo", ply: this.view.ply });
  }

  /** What the others do is not shown step by step any more, until it is one's turn. */
  skip(): void {
    if (!this.busy && this.mine) return;
    this.hurried = true;
    this.cut();
  }

  /** Whether to hear a player. */
  silence(player: string, isSilent: boolean): void {
    this.silenced = isSilent ? [...this.silenced, player] : this.silenced.filter((one) => one !== player);
    keepSilenced(this.id, this.silenced);
    if (isSilent) delete this.said[player];
  }

  askWhy(piece: string): void {
    this.asked.set(this.socket.send({ type: "why", piece }), piece);
  }

  askHint(): void {
    if (this.moves.length) this.socket.send({ type: "hint" });
  }

  request(request: Request): void {
    this.socket.send(request);
  }

  greet(): void {
    this.socket.greet();
  }

  leave(player: string): void {
    this.socket.send({ type: "leave", player });
    forget(this.id, player);
  }

  close(): void {
    this.socket.close();
  }

  private connect(table: string): TableSocket {
    const hello = (): Request => ({
      type: "hello",
      tokens: this.withoutTokens ? [] : Object.values(holding(this.id).tokens),
      lang: settings.lang,
    });
    return new TableSocket(table, hello, {
      message: (message) => this.receive(message),
      link: (state, code) => this.onLink(state, code, table),
    });
  }

  private onLink(state: Link, code: number, address: string): void {
    // a token that was revoked elsewhere closes the door: come in as a spectator
    if (state === "refused" && code === 4403 && !this.withoutTokens && Object.keys(holding(this.id).tokens).length) {
      this.withoutTokens = true;
      this.socket.close();
      this.socket = this.connect(address);
      return;
    }
    this.link = state;
  }

  private act(request: Request): void {
    this.hint = this.why = null;
    this.acting = this.socket.send(request);
  }

  private receive(message: FromServer): void {
    if (message.type === "table") this.open(message);
    else if (message.type === "step") this.queue(message);
    else if (message.type === "seats") this.sitDown(message.seats, message.clock);
    else if (message.type === "said") this.hear(message.player, message.phrase);
    else if (message.type === "done") this.settle(message.id, message.version);
    else if (message.type === "hint") this.hint = message;
    else if (message.type === "why") this.explain(message);
    else if (message.type === "rematch") this.onRematch(message.table);
    else if (message.type === "error") this.onError(message);
  }

  private sitDown(seats: Seat[], clock: TableView["clock"]): void {
    this.seats = seats;
    this.setClock(clock);
  }

  private setClock(clock: TableView["clock"]): void {
    this.clock = clock ? { ...clock, at: performance.now() } : null;
  }

  private hear(player: string, phrase: string): void {
    if (settings.quiet || this.silenced.includes(player) || !isPhrase(phrase)) return;
    this.said[player] = phrase;
    clearTimeout(this.hearing.get(player));
    this.hearing.set(player, setTimeout(() => delete this.said[player], HEARD));
    if (!this.you.includes(player)) play("step");
  }

  private open(message: Extract<FromServer, { type: "table" }>): void {
    this.waiting = [];
    this.you = message.you;
    this.facts = message.table;
    this.seats = message.table.seats;
    this.scene = message.scene;
    this.view = message.view;
    this.setClock(message.view.clock);
    this.log = [];
    for (const line of message.log) this.tellLine(line);
    this.rematch = message.table.rematch;
    const roll = message.scene.hands ? undefined : message.log.findLast((line) => line.kind === "roll");
    this.cast ??= roll ? castOf(roll, message.scene) : lyingIn(message.view, message.scene);
    this.story ??= this.log.findLast((line) => ABOUT_THE_GAME.has(line.kind)) ?? null;
    this.hint = this.why = null;
  }

  private queue(step: Step): void {
    this.waiting.push(step);
    // the server's time, not the page's: it runs while steps are shown
    this.setClock(step.view.clock);
    if (!this.busy) void this.show();
  }

  private async show(): Promise<void> {
    this.busy = true;
    for (let step = this.waiting.shift(); step; step = this.waiting.shift()) await this.showOne(step);
    this.busy = false;
    const isDue = this.mine || Boolean(this.view?.over);
    if (isDue) this.hurried = false;
    if (this.view?.over) play("win");
    else if (isDue && this.story && !this.you.includes(this.story.player ?? this.story.by)) play("turn");
  }

  private get isStill(): boolean {
    return settings.speed === "off" || document.hidden || this.hurried || this.waiting.length > MOST_WAITING;
  }

  /** One step as it is to be seen: what it leads to is on the page when it has ended. */
  private async showOne(step: Step): Promise<void> {
    this.hint = this.why = null;
    const { view, ...told } = step;
    const line = this.inShort(told);
    if (this.isDeal(step)) return this.deal(line, view);
    if (step.kind === "roll") await this.throwDice(step);
    if (step.move?.card && step.kind === "move") this.cast = { player: step.by, text: `card:${step.move.card}`, dice: [], rolling: false };
    if (step.kind !== "roll" && step.kind !== "entropy") this.story = line;
    if (step.kind === "undo") this.takenBack = step.ply;
    const running = this.isStill || !this.view || step.kind === "undo" ? null : await this.run(step, this.view);
    if (step.kind === "move") this.last = this.wayOf(step) ?? this.last;
    if (step.kind === "undo") this.last = null;
    this.view = view;
    this.tellLine(line);
    await tick();
    running?.clear();
    this.stage()?.settle();
    // what others throw and play can be read before they go on
    if (!this.you.includes(step.player ?? step.by) || (step.kind === "roll" && view.to_move === "chance")) await this.wait(readTime(settings.speed));
  }

  /** A card that somebody gets: a hand is dealt at one go. */
  private async deal(line: LogLine, view: TableView): Promise<void> {
    this.story = line;
    this.cast = null;
    this.view = view;
    this.tellLine(line);
    await this.wait(stepTime(settings.speed) / 3);
  }

  private isDeal(line: LogLine): boolean {
    return line.kind === "roll" && Boolean(this.scene?.hands);
  }

  /** A line as it is told: of a deal only that there is one. */
  private inShort(line: LogLine): LogLine {
    return this.isDeal(line) ? { ...line, player: line.by, text: "", words: say("cards_dealt"), events: [] } : line;
  }

  private async throwDice(step: Step): Promise<void> {
    if (!this.isStill) {
      this.cast = castOf(step, this.scene, true);
      await this.wait(rollTime(settings.speed));
      if (!this.isStill) play("land");
    }
    this.cast = castOf(step, this.scene);
    this.story = { ...step };
  }

  private async run(step: Step, before: TableView): Promise<Running | null> {
    const running = this.stage()?.animate(before, step.view, step.move ?? null, step.events ?? [], stepTime(settings.speed)) ?? null;
    if (!running) return null;
    this.cut = () => running.cut();
    await running.done;
    this.cut = () => undefined;
    return running;
  }

  /** The two ends of a move: where its piece stood, and where it stands. */
  private wayOf(step: Step): TableState["last"] {
    const name = step.events?.find((event) => event.piece && event.player === step.player)?.piece ?? step.move?.pieces[0];
    const [from, to] = [this.view, step.view].map((view) => view?.pieces.find((piece) => piece.id === name));
    if (!from || !to || from.place === to.place) return null;
    return { player: from.player, from: [from.x, from.y], to: [to.x, to.y] };
  }

  private tellLine(told: LogLine): void {
    const line = this.inShort(told);
    const last = this.log.at(-1);
    if (last && this.isDeal(line) && this.isDeal(last)) this.log.pop();
    // what is taken back through the turns of bots is told once
    if (line.kind === "undo" && this.log.at(-1)?.kind === "undo") this.log.pop();
    this.log.push(line);
    if (this.log.length > LONGEST_LOG) this.log.splice(0, this.log.length - LONGEST_LOG);
  }

  /** Waits, unless somebody wants to go on. */
  private wait(ms: number): Promise<void> {
    if (ms === 0 || this.isStill) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.cut = () => (clearTimeout(timer), resolve());
    });
  }

  private settle(id: string, version = 0): void {
    if (id !== this.acting) return;
    this.acting = null;
    this.doneVersion = version;
  }

  private explain(message: Extract<FromServer, { type: "why" }>): void {
    const piece = this.asked.get(message.id);
    this.asked.delete(message.id);
    if (!piece) return;
    const reasons = [...new Set(message.reasons.map((reason) => reason.text))];
    if (reasons.length) this.why = { piece, text: reasons.join(" · ") };
  }

  private onError(message: Extract<FromServer, { type: "error" }>): void {
    if (message.id) {
      this.settle(message.id);
      const piece = this.asked.get(message.id);
      this.asked.delete(message.id);
      if (piece) {
        this.why = { piece, text: message.text };
        return;
      }
    }
    if (message.code === "bad_token") return;
    // the game went on meanwhile: the board shows it already
    if (message.code !== "stale") tell(message.text || say("unreachable"), "bad");
  }

  private onRematch(table: string): void {
    this.rematch = table;
    const { tokens, invite } = holding(this.id);
    keep(table, { tokens: Object.fromEntries(Object.entries(tokens).filter(([player]) => this.you.includes(player))), invite });
    go(`/t/${table}`);
  }
}
