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

export function openLine(table: string): Line {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket`);
}
