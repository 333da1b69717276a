/** The bots that there are, weakest first, asked for once per language; three of them are called by how hard they are. */
import { api } from "../net/api";
import type { Bot } from "../net/types";
import { say } from "../words";
import { settings, type Language } from "./settings.svelte";

const known: Partial<Record<Language, Bot[]>> = $state({});
const asked = new Set<Language>();

/** The bots of each level: the first that there is; nets, where the server has any. */
const CHOICE = { easy: ["greedy"], medium: ["td", "heuristic"], hard: ["td2", "expectimax"] } as const;
export type Level = keyof typeof CHOICE;
const LEVELS = Object.keys(CHOICE) as Level[];
/** How a bot looks. */
export const FACES: Record<Level, string> = {
  easy: "M8 10h.01M16 10h.01M8 14.5a5 5 0 0 0 8 0",
  medium: "M8 10h.01M16 10h.01M9 15.5h6",
  hard: "M6.5 8l3.5 1.6M17.5 8L14 9.6M8 11.5h.01M16 11.5h.01M8.5 16.5a5 5 0 0 1 7 0",
};

export function bots(): Bot[] {
  const lang = settings.lang;
  if (!asked.has(lang)) {
    asked.add(lang);
    void api.bots().then(
      (all) => (known[lang] = all),
      () => asked.delete(lang),
    );
  }
  return known[lang] ?? [];
}

/** The bot of a level. */
export function botOf(level: Level): string {
  const names: readonly string[] = CHOICE[level];
  return names.find((name) => bots().some((bot) => bot.name === name)) ?? names[names.length - 1]!;
}

/** How hard a bot plays; null for those that only have a name. */
export function levelOf(bot: string): Level | null {
  return LEVELS.find((level) => (CHOICE[level] as readonly string[]).includes(bot)) ?? null;
}

/** What people call a bot. */
export function botTitle(name: string): string {
  const level = levelOf(name);
  return level ? say(`level_${level}`) : technicalTitle(name);
}

/** What those call it who know how it works. */
export function technicalTitle(name: string): string {
  return bots().find((bot) => bot.name === name)?.title ?? name;
}

/** The bot of each level, and every other one. */
export function byLevel(): { levels: Bot[]; others: Bot[] } {
  const names = LEVELS.map(botOf);
  const levels = names.flatMap((name) => bots().find((bot) => bot.name === name) ?? []);
  return { levels, others: bots().filter((bot) => !names.includes(bot.name)) };
}

export function mediumBot(): Bot | undefined {
  return bots().find((bot) => bot.name === botOf("medium")) ?? bots()[0];
}
