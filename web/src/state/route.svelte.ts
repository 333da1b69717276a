/** Where in the client we are: read from the address, changed without loading a page. */
export type Route =
  | { page: "home" }
  | { page: "new"; game: string | null; ours?: string }
  | { page: "ours"; base?: string; id?: string; shared?: boolean }
  | { page: "rules"; game: string; table?: undefined }
  | { page: "rules"; table: string; game?: undefined }
  | { page: "table"; id: string }
  | { page: "join"; code: string }
  | { page: "editor"; game: string | null; players: number | null; table: string | null; ply: number | null; position: string | null }
  | { page: "me" }
  | { page: "replay"; id: string; ply: number | null };

/** A part of an address; as it stands where it is damaged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseRoute(path: string, search: string): Route {
  const [head = "", id = "", part = ""] = path.split("/").filter(Boolean).map(decoded);
  const asked = new URLSearchParams(search);
  if (head === "me") return { page: "me" };
  if (head === "editor") {
    const [players, ply] = [asked.get("players"), asked.get("ply")].map((text) => (text && /^\d+$/.test(text) ? Number(text) : null));
    return { page: "editor", game: asked.get("game"), players: players ?? null, table: asked.get("table"), ply: ply ?? null, position: asked.get("position") };
  }
  if (head === "t" && id) return part === "rules" ? { page: "rules", table: id } : { page: "table", id };
  if (head === "j" && id) return { page: "join", code: id };
  if (head === "r" && id) {
    const ply = Number(asked.get("ply") || NaN);
    return { page: "replay", id, ply: Number.isInteger(ply) && ply >= 0 ? ply : null };
  }
  const [game, rules] = [asked.get("game"), asked.get("rules")];
  if (game) return { page: "new", game };
  if (asked.has("own")) return { page: "new", game: null, ours: asked.get("ours") ?? undefined };
  if (asked.has("share")) return { page: "ours", shared: true };
  const [make, ours] = [asked.get("make"), asked.get("ours")];
  if (make) return { page: "ours", base: make };
  if (ours) return { page: "ours", id: ours };
  if (rules) return { page: "rules", game: rules };
  return { page: "home" };
}

export const here: { route: Route } = $state({ route: parseRoute(location.pathname, location.search) });

function follow(): void {
  here.route = parseRoute(location.pathname, location.search);
}

export function go(address: string, replaces = false): void {
  if (replaces) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  follow();
  scrollTo(0, 0);
}

addEventListener("popstate", follow);

/** For links: an ordinary click stays in the page, any other is the browser's. */
export function onLink(event: MouseEvent): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
