/** The tables of the static site: ludus in Python, in a worker of the page. */
import { box } from "./box";
import type { FromWorker, ToWorker } from "./messages";
import { wake } from "./waking";

interface Answer {
  toJs(): [status: number, type: string, text: string];
  destroy(): void;
}
interface PageServer {
  answer(method: string, path: string, body: string | undefined): Promise<Answer>;
  open(n: number, table: string, send: (text: string) => void, close: (code: number) => void): Promise<void>;
  hear(n: number, text: string): Promise<void>;
  leave(n: number): void;
}

const tell = (message: FromWorker): void => postMessage(message);

/** Versions are in the names of the folders (scripts/site), so what was kept by the browser is what is meant. */
async function start(): Promise<PageServer> {
  const at = self.location.origin;
  const code = fetch(`${at}/python/ludus.zip`).then((response) => response.arrayBuffer());
  const { loadPyodide } = (await import(/* @vite-ignore */ `${at}/pyodide/pyodide.mjs`)) as { loadPyodide: Parameters<typeof wake>[0] };
  tell({ kind: "progress", share: 0.1 });
  const { python, resumed, remember } = await wake(loadPyodide, `${at}/pyodide/`);
  tell({ kind: "progress", share: 0.5 });
  python.unpackArchive(await code, "zip", { extractDir: "/lib/python3.14/site-packages" });
  tell({ kind: "progress", share: 0.6 });
  python.globals.set("box", box);
  const server = await python.runPythonAsync("from ludus.server.in_page import PageServer\nPageServer(box)");
  tell({ kind: "ready", resumed });
  void remember().then((kept) => kept && tell({ kind: "remembered" }));
  return server as PageServer;
}

const started = start();
started.catch((error: unknown) => tell({ kind: "broken", text: String(error) }));

const talks: { [kind in ToWorker["kind"]]: (server: PageServer, message: Extract<ToWorker, { kind: kind }>) => unknown } = {
  async request(server, { n, method, path, body }) {
    const answer = await server.answer(method, path, body);
    const [status, type, text] = answer.toJs();
    answer.destroy();
    tell({ kind: "answer", n, status, type, text });
  },
  async open(server, { n, table }) {
    tell({ kind: "opened", n });
    await server.open(
      n,
      table,
      (text) => tell({ kind: "said", n, text }),
      (code) => tell({ kind: "closed", n, code }),
    );
  },
  hear: (server, { n, text }) => server.hear(n, text),
  leave: (server, { n }) => server.leave(n),
};

/** One after the other until it is handed over: a table hears nothing before it is open. */
let before: Promise<unknown> = started;
onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const turn = async (): Promise<unknown> => talks[data.kind](await started, data as never);
  if (data.kind === "request") void turn();
  else before = before.then(turn, turn);
};
