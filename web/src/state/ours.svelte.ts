/** Rule sets of one's own, kept in this browser: a text each, under the name it was given. */
export interface OurGame {
  id: string;
  title: string;
  document: string;
}

const KEY = "ludus.ours";
const MOST = 40;

function stored(): OurGame[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isGame) : [];
  } catch {
    return [];
  }
}

function isGame(one: unknown): one is OurGame {
  const game = one as OurGame | null;
  return typeof game?.id === "string" && typeof game.title === "string" && typeof game.document === "string";
}

export const ours: { games: OurGame[] } = $state({ games: stored() });

export function keepOurs(game: OurGame): void {
  ours.games = [game, ...ours.games.filter((one) => one.id !== game.id)].slice(0, MOST);
  store();
}

export function dropOurs(id: string): void {
  ours.games = ours.games.filter((one) => one.id !== id);
  store();
}

function store(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ours.games));
  } catch {
    // a browser without storage keeps them until the page is closed
  }
}
