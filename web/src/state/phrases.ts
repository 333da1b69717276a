/** What can be said at a table: phrases that each reads in its own language, and reactions that are drawn. */
export const PHRASES = ["hello", "good_luck", "well_played", "thanks", "sorry", "your_turn", "close_one", "again"] as const;

const ROUND = '<circle cx="12" cy="12" r="10" fill="#ffd04a" stroke="#a8770a" stroke-width="1"/>';
const DOTS = '<circle cx="8.5" cy="10" r="1.5" fill="#3a2c05"/><circle cx="15.5" cy="10" r="1.5" fill="#3a2c05"/>';
const LINE = 'fill="none" stroke="#3a2c05" stroke-width="1.8" stroke-linecap="round"';
/** Each in a square of 24. */
export const REACTIONS = {
  clap: '<path d="M7 13L4.5 8.6a1.3 1.3 0 0 1 2.2-1.3L9 11M9 11L6 5.8a1.3 1.3 0 0 1 2.2-1.3l3.3 5.7M11.500 10.200L9.400 6.500a1.300 1.300 0 0 1 2.200-1.300l4.400 7.500l.6-2.400a1.400 1.400 0 0 1 2.700.6l-.9 5.300a5.600 5.600 0 0 1-10.300 1.800L5.800 14.500a1.300 1.300 0 0 1 2-1.500" fill="#ffd04a" stroke="#7a5605" stroke-width="1.2" stroke-linejoin="round"/><path d="M17 3.500l-.8 2M20.500 5.500l-1.700 1.400M14 2l.1 2" stroke="#7a5605" stroke-width="1.400" stroke-linecap="round"/>',
  laugh: ROUND + `<path d="M6.500 9.500l3 1M17.500 9.500l-3 1" ${LINE}/><path d="M6.500 13a5.600 5.600 0 0 0 11 0z" fill="#3a2c05"/>`,
  wow: ROUND + DOTS + '<ellipse cx="12" cy="16" rx="2.600" ry="3.200" fill="#3a2c05"/>',
  cry: ROUND + DOTS + `<path d="M8 17.500a5 5 0 0 1 8 0" ${LINE}/><path d="M16.500 12c1.700 2.400 1.700 4 0 4s-1.700-1.600 0-4z" fill="#4aa3e8"/>`,
  heart: '<path d="M12 20.500C3 14 2.500 9.500 4.500 6.800C6.500 4.200 10.300 4.700 12 8c1.700-3.300 5.500-3.800 7.500-1.200C21.500 9.500 21 14 12 20.500z" fill="#dd3648" stroke="#8c1422" stroke-width="1"/>',
  grumble: ROUND + `<path d="M6 8l4 1.800M18 8l-4 1.800" ${LINE}/>` + '<circle cx="8.700" cy="11.500" r="1.300" fill="#3a2c05"/><circle cx="15.300" cy="11.500" r="1.300" fill="#3a2c05"/>' + `<path d="M8.500 17.500a5.500 4 0 0 1 7 0" ${LINE}/>`,
} as const;
export type Reaction = keyof typeof REACTIONS;
export type Phrase = (typeof PHRASES)[number] | Reaction;
export const REACTION_NAMES = Object.keys(REACTIONS) as Reaction[];

export function isReaction(phrase: string): phrase is Reaction {
  return Object.hasOwn(REACTIONS, phrase);
}

export function isPhrase(phrase: string): phrase is Phrase {
  return isReaction(phrase) || (PHRASES as readonly string[]).includes(phrase);
}

/** Whom somebody does not want to hear, by table. */
const KEY = "ludus.silenced";
const MOST_TABLES = 30;

function all(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string[]>;
  } catch {
    return {};
  }
}

export function silencedAt(table: string): string[] {
  return all()[table] ?? [];
}

export function keepSilenced(table: string, players: string[]): void {
  const { [table]: _, ...others } = all();
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...Object.entries(others).slice(1 - MOST_TABLES), [table, players]])));
  } catch {
    // a browser without storage forgets it with the page
  }
}
