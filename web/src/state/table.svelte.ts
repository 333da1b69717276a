/** One table as this browser sees it: what the server told, shown step by step. */
import type { Move, Scene } from "../board/scene";
import { tick } from "svelte";
import { forget, holding, keep } from "../net/tokens";
import { TableSocket, type Link, type Request } from "../net/socket";
import type { FromServer, LogLine, Seat, Step, TableFacts, TableView } from "../net/types";
import { say } from "../words";
import { tell } from "./notices.svelte";
import { go } from "./route.svelte";
import { rollTime, settings, stepTime } from "./settings.svelte";

const LONGEST_LOG = 300;
/** More steps than this are not worth watching one by one. */
const MOST_WAITING = 8;

export type Animate = (before: TableView, after: TableView, move: Move | null, step: number) => Promise<void>;

export class TableState {
  link = $state<Link>("connecting");
  you = $state<string[]>([]);
  facts = $state.raw<TableFacts | null>(null);
  seats = $state.raw<Seat[]>([]);
  scene = $state.raw<Scene | null>(null);
  view = $state.raw<TableView | null>(null);
  log = $state<LogLine[]>([]);
  rolling = $state(false);
  /** What was rolled last, kept in sight when all dice are used. */
  lastRoll = $state.raw<{ by: string; dice: string[]; text: string } | null>(null);
  lastMove = $state.raw<Move | null>(null);
  /** Steps are still being shown: nothing can be chosen. */
  busy = $state(false);
  private acting = $state<string | null>(null);
  private doneVersion = $state(0);
  hint = $state.raw<{ move: string; words: string; reasons: string[] } | null>(null);
  why = $state.raw<{ piece: string; text: string } | null>(null);
  rematch = $state<string | null>(null);
  /** Set by the page once its board is there. */
  animate: Animate | null = null;

  private socket: TableSocket;
  private waiting: Step[] = [];
  private asked = new Map<string, string>();
  private withoutTokens = false;

  constructor(readonly id: string) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = this.connect(`${scheme}://${location.host}/api/tables/${encodeURIComponent(id)}/socket`);
  }

  /** A request is under way, or its outcome is not on the board yet. */
  get sending(): boolean {
    return this.acting !== null || this.doneVersion > (this.view?.version ?? 0);
  }

  get mine(): boolean {
    const view = this.view;
    if (!view || view.over) return false;
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

  private connect(address: string): TableSocket {
    const hello = (): Request => ({
      type: "hello",
      tokens: this.withoutTokens ? [] : Object.values(holding(this.id).tokens),
      lang: settings.lang,
    });
    return new TableSocket(address, hello, {
      message: (message) => this.receive(message),
      link: (state, code) => this.onLink(state, code, address),
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
    else if (message.type === "seats") this.seats = message.seats;
    else if (message.type === "done") this.settle(message.id, message.version);
    else if (message.type === "hint") this.hint = message;
    else if (message.type === "why") this.explain(message);
    else if (message.type === "rematch") this.onRematch(message.table);
    else if (message.type === "error") this.onError(message);
  }

  private open(message: Extract<FromServer, { type: "table" }>): void {
    this.waiting = [];
    this.you = message.you;
    this.facts = message.table;
    this.seats = message.table.seats;
    this.scene = message.scene;
    this.view = message.view;
    this.log = message.log;
    this.rematch = message.table.rematch;
    this.lastRoll ??= this.rollOf(message.log.findLast((line) => line.kind === "roll"));
    this.hint = this.why = null;
  }

  private rollOf(line: LogLine | undefined): TableState["lastRoll"] {
    if (!line) return null;
    const dice = line.text.split(",").map((face) => `die:${face}`);
    return { by: line.by, dice: dice.every((die) => this.scene && die in this.scene.tokens) ? dice : [], text: line.words };
  }

  private queue(step: Step): void {
    this.waiting.push(step);
    if (!this.busy) void this.show();
  }

  private async show(): Promise<void> {
    this.busy = true;
    for (let step = this.waiting.shift(); step; step = this.waiting.shift()) await this.showOne(step);
    this.busy = false;
  }

  private async showOne(step: Step): Promise<void> {
    const isStill = settings.speed === "off" || document.hidden || this.waiting.length > MOST_WAITING;
    const before = this.view;
    this.hint = this.why = null;
    if (step.kind === "roll" && !isStill) {
      this.rolling = true;
      await sleep(rollTime(settings.speed));
    }
    this.rolling = false;
    if (step.kind === "roll") this.lastRoll = this.rollOf(step);
    this.lastMove = step.kind === "move" ? (step.move ?? null) : null;
    this.view = step.view;
    const { version, ply, by, player, kind, text, words } = step;
    this.log.push({ version, ply, by, player, kind, text, words });
    if (this.log.length > LONGEST_LOG) this.log.splice(0, this.log.length - LONGEST_LOG);
    await tick();
    if (before && !isStill) await this.animate?.(before, step.view, step.move ?? null, stepTime(settings.speed));
    // a roll that leaves nothing to choose stays in sight for a moment
    if (step.kind === "roll" && !isStill && step.view.to_move === "chance") await sleep(rollTime(settings.speed));
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

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
