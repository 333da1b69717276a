/** Every word of the client itself; what concerns a game comes from the server in the language asked for. */
import { settings, type Language } from "../state/settings.svelte";
import { en } from "./en";
import { fr } from "./fr";

export type Words = typeof en;
export type Key = keyof Words;

const catalogues: Record<Language, Record<Key, string>> = { en, fr };

export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** The words under a key in the player's language; read inside a template it follows the setting. */
export function say(key: Key, values: Record<string, string | number> = {}): string {
  return fill(catalogues[settings.lang][key], values);
}

/** A word as it begins a line: the server's colours and roles come as they stand inside a sentence. */
export function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase(settings.lang) + word.slice(1);
}
