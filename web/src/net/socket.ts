/** A connection to a table that mends itself: what was not answered is sent again, under the same id. */
import { openLine } from "#tables";
import type { Line } from "./network";
import type { FromServer } from "./types";

export type Request = { type: string; [field: string]: unknown };
export type Link = "connecting" | "open" | "lost" | "refused";

export interface Listener {
  message(message: FromServer): void;
  link(state: Link, code: number): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
/** Close codes after which trying again can't help. */
const FINAL = new Set([4400, 4403, 4404]);
/** Requests that the server carries out once, however often they arrive. */
const REPEATABLE = new Set(["move", "roll", "undo", "resign", "rematch", "leave"]);
/** Errors that pass: the request was not carried out and may be sent again. */
const PASSING = new Set(["too_fast", "store_failed"]);
const PATIENCE = 1000;
/** After so long without an answer the server is taken for dead, though the connection stands. */
const SILENCE = 12000;
/** The close code of a server that told another's address. */
const ELSEWHERE = 4421;

export class TableSocket {
  private socket: Line | null = null;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private ready = false;
  /** The server of a cluster that is said to have the table. */
  private at = "";
  private silence: ReturnType<typeof setTimeout> | undefined;
  private waiting = new Map<string, Request>();

  constructor(
    private readonly table: string,
    private readonly hello: () => Request,
    private readonly listener: Listener,
  ) {
    addEventListener("online", this.atOnce);
    this.connect();
  }

  /** Says hello again: another language, or a seat more. */
  greet(): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(this.hello()));
  }

  send(request: Request): string {
    const id = newId();
    const whole = { ...request, id };
    if (REPEATABLE.has(request.type)) this.waiting.set(id, whole);
    if (this.ready) this.socket?.send(JSON.stringify(whole));
    if (this.ready && this.waiting.has(id)) this.expect();
    return id;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    removeEventListener("online", this.atOnce);
    this.socket?.close();
  }

  private connect(): void {
    this.listener.link("connecting", 0);
    const socket = openLine(this.table, this.at);
    this.socket = socket;
    this.expect();
    socket.onopen = () => socket.send(JSON.stringify(this.hello()));
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = (event) => {
      if (this.socket === socket) this.lose(event.code);
    };
  }

  /** Whatever comes is a sign of life; where nothing comes, another server may have the table by now. */
  private expect(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.socket?.close();
      this.lose(0);
    }, SILENCE);
  }

  private receive(message: FromServer): void {
    clearTimeout(this.silence);
    if (message.type === "error" && message.code === "elsewhere") {
      this.at = message.address ?? "";
      return;
    }
    if (message.type === "error" && message.code === "closing") return; // another server goes on
    if (message.type === "error" && PASSING.has(message.code) && this.repeat(message.id ?? "")) return;
    if ("id" in message && message.id) this.waiting.delete(message.id);
    if (message.type === "table" && !this.ready) {
      this.ready = true;
      this.wait = FIRST_WAIT;
      this.listener.link("open", 0);
      for (const request of this.waiting.values()) this.socket?.send(JSON.stringify(request));
    }
    this.listener.message(message);
  }

  /** Sends a request again after a while; false where it is not one of those. */
  private repeat(id: string): boolean {
    const request = this.waiting.get(id);
    if (!request) return false;
    setTimeout(() => {
      if (this.ready && this.waiting.has(id)) this.socket?.send(JSON.stringify(request));
    }, PATIENCE);
    return true;
  }

  private lose(code: number): void {
    clearTimeout(this.silence);
    const wasOpen = this.ready;
    this.ready = false;
    this.socket = null;
    if (this.closed) return;
    if (code !== ELSEWHERE && !wasOpen) this.at = ""; // nobody is there: whoever is asked first knows more
    this.listener.link(FINAL.has(code) ? "refused" : "lost", code);
    if (FINAL.has(code)) return;
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private atOnce = (): void => {
    if (this.socket || this.closed) return;
    clearTimeout(this.timer);
    this.connect();
  };
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
