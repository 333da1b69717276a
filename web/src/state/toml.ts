/** Rule sets as text: a name, a title, the game they extend, and what is different. */
export interface House {
  title: string;
  base: string;
  changes: Record<string, unknown>;
}

export function writeToml({ title, base, changes }: House): string {
  const lines = [`name = ${text(nameOf(title))}`, `title = ${text(title)}`, `extends = ${text(base)}`];
  const groups = new Map<string, string[]>();
  for (const [option, value] of Object.entries(changes)) {
    const [group = "", key = ""] = option.split(".");
    if (!key || value === null || value === undefined) continue;
    groups.set(group, [...(groups.get(group) ?? []), `${key} = ${written(value)}`]);
  }
  for (const [group, options] of groups) lines.push("", `[${group}]`, ...options);
  return lines.join("\n") + "\n";
}

/** A title as a name: small letters, digits and hyphens, a letter first. */
export function nameOf(title: string): string {
  const plain = title.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const name = plain.replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 40);
  return name || "ours";
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    return `{ ${Object.entries(value).map(([key, one]) => `${key} = ${written(one)}`).join(", ")} }`;
  }
  return typeof value === "string" ? text(value) : String(value);
}

/** A string that no letter of it can end. */
function text(words: string): string {
  return JSON.stringify(words).replace(/[\u007f-\u009f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What the text says of itself; the server reads the rest. */
export function headOf(source: string): { title: string; base: string } {
  const find = (key: string): string => new RegExp(`^\\s*${key}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)')`, "m").exec(source)?.slice(1).find((one) => one !== undefined) ?? "";
  return { title: unescaped(find("title")) || find("name"), base: find("extends") || "classic" };
}

function unescaped(words: string): string {
  try {
    return JSON.parse(`"${words}"`) as string;
  } catch {
    return words;
  }
}

const LONGEST_LINK = 20_000;

export function linkOf(source: string): string {
  const bytes = new TextEncoder().encode(source);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${location.origin}/?share#d=${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The text that a link carries; null where the link is damaged. */
export function fromLink(hash: string): string | null {
  const found = /^#d=([\w-]+)$/.exec(hash)?.[1];
  if (!found || found.length > LONGEST_LINK) return null;
  try {
    const letters = atob(found.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
}
