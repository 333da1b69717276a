/** The page's side of its own tables: requests and lines as over a network, answered by the worker. */
import type { Line } from "../net/network";
import type { FromWorker, ToWorker } from "./messages";
import { showProgress } from "./progress";

/** Answers that were written when the site was built: the first page does not wait for Python. */
const PREPARED = /^\/api\/(games|bots|games\/[a-z0-9-]+\/board)\?lang=(en|fr)$/;

/** After the service worker, which keeps what goes through it: so nothing is loaded twice. */
const worker = watched().then(() => {
  const made = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  made.onmessage = hear;
  return made;
});
const waiting = new Map<number, (response: Response) => void>();
const lines = new Map<number, PageLine>();
let last = 0;

const tell = (message: ToWorker): void => void worker.then((made) => made.postMessage(message));

function hear({ data }: MessageEvent<FromWorker>): void {
  if (data.kind === "answer") {
    waiting.get(data.n)?.(new Response(data.text, { status: data.status, headers: { "content-type": data.type } }));
    waiting.delete(data.n);
  } else if (data.kind === "opened" || data.kind === "said" || data.kind === "closed") lines.get(data.n)?.hear(data);
  else if (data.kind === "remembered") document.documentElement.dataset.remembered = "true";
  else {
    showProgress(data);
    if (data.kind === "ready") navigator.serviceWorker?.controller?.postMessage("keep the rest");
  }
}

/** Waits until the site's service worker sees what this page loads; a browser without one plays all the same. */
async function watched(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  serviceWorker.addEventListener("message", () => (document.documentElement.dataset.kept = "true"));
  const seen = new Promise<void>((resolve) => serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true }));
  const registered = serviceWorker.register("/sw.js").catch(() => null);
  if (!serviceWorker.controller && (await registered)) await seen;
}

export async function request(path: string, init?: RequestInit): Promise<Response> {
  const [, what, lang] = PREPARED.exec(path) ?? [];
  if (what) {
    const prepared = await fetch(`/data/${what}.${lang}.packed`).catch(() => null);
    // packed here and not by the server: a plain file server does not
    if (prepared?.ok && prepared.body) return new Response(prepared.body.pipeThrough(new DecompressionStream("gzip")));
  }
  const body = init?.body instanceof Blob ? await init.body.text() : (init?.body as string | undefined);
  const n = ++last;
  return new Promise((resolve) => {
    waiting.set(n, resolve);
    tell({ kind: "request", n, method: init?.method ?? "GET", path, body });
  });
}

export function openLine(table: string): Line {
  return new PageLine(++last, table);
}

class PageLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line["onopen"] = null;
  onmessage: Line["onmessage"] = null;
  onclose: Line["onclose"] = null;

  constructor(
    private readonly n: number,
    table: string,
  ) {
    lines.set(n, this);
    tell({ kind: "open", n, table });
  }

  send(text: string): void {
    tell({ kind: "hear", n: this.n, text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    tell({ kind: "leave", n: this.n });
    this.end(1000);
  }

  hear(message: Extract<FromWorker, { n: number }>): void {
    if (message.kind === "opened") {
      this.readyState = WebSocket.OPEN;
      this.onopen?.(new Event("open"));
    } else if (message.kind === "said") this.onmessage?.(new MessageEvent("message", { data: message.text }));
    else if (message.kind === "closed") this.end(message.code);
  }

  private end(code: number): void {
    lines.delete(this.n);
    this.readyState = WebSocket.CLOSED;
    this.onclose?.(new CloseEvent("close", { code }));
  }
}

/** Links that load a file from the server: here the worker writes it. */
addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.("a[download]");
  const path = link?.getAttribute("href");
  if (!link || !path?.startsWith("/api/")) return;
  event.preventDefault();
  void save(path, link.getAttribute("download") || "ludus.jsonl");
});

async function save(path: string, name: string): Promise<void> {
  const file = URL.createObjectURL(await (await request(path)).blob());
  const link = document.createElement("a");
  link.href = file;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
