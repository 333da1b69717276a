/** The names that bots have for people, asked for once per language. */
import { api } from "../net/api";
import { settings, type Language } from "./settings.svelte";

const titles: Record<string, string> = $state({});
const asked = new Set<Language>();

export function botTitle(name: string): string {
  const lang = settings.lang;
  if (!asked.has(lang)) {
    asked.add(lang);
    void api.bots().then(
      (bots) => bots.forEach((bot) => (titles[`${lang}/${bot.name}`] = bot.title)),
      () => asked.delete(lang),
    );
  }
  return titles[`${lang}/${name}`] ?? name;
}
