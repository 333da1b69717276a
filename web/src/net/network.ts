/** How the client reaches its tables: over the network. The static site has another one (site/page.ts; vite.config.ts chooses). */
export interface Line {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(text: string): void;
  close(): void;
}

export function request(path: string, init?: RequestInit): Promise<Response> {
  return fetch(path, init);
}

/** `at`: the server of a cluster that has the table; a path of this origin, or an origin of its own. */
export function openLine(table: string, at = ""): Line {
  const server = new URL(at || "/", location.href).href.replace(/^http/, "ws").replace(/\/$/, "");
  return new WebSocket(`${server}/api/tables/${encodeURIComponent(table)}/socket`);
}
