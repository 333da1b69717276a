/** The bots that there are, weakest first, asked for once per language. */
import { api } from "../net/api";
import type { Bot } from "../net/types";
import { settings, type Language } from "./settings.svelte";

const known: Partial<Record<Language, Bot[]>> = $state({});
const asked = new Set<Language>();

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

export function botTitle(name: string): string {
  return bots().find((bot) => bot.name === name)?.title ?? name;
}
