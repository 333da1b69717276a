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

/**
 * The text with one option set, or taken out (null): everything else stays as it was written, comments too.
 * null where the text writes it in a way that is not changed line by line; then all of it is written anew.
 */
export function changeToml(source: string, option: string, value: unknown): string | null {
  const lines = source.split("\n");
  const [group = "", key = ""] = option.includes(".") ? option.split(".") : ["", option];
  const dotted = lines.slice(0, bodyOf(lines, "")[1]).findIndex((line) => isKey(line, option));
  const [from, to] = bodyOf(lines, group);
  const own = dotted >= 0 || from < 0 ? dotted : lines.findIndex((line, at) => at >= from && at < to && isKey(line, key));
  if (own >= 0) return isWhole(lines[own] ?? "") ? replaced(lines, own, value) : null;
  // a group that is written inline, or in parts, is not taken apart
  if (lines.some((line) => isKey(line, group) || line.trim().startsWith(`[${group}.`) || line.trim().startsWith(`[[${group}`))) return null;
  if (value === null || value === undefined) return source;
  const line = `${key} = ${written(value)}`;
  if (from < 0) return `${source.replace(/\n*$/, "\n")}\n[${group}]\n${line}\n`;
  let end = to;
  while (end > from && !(lines[end - 1] ?? "").trim()) end -= 1;
  return [...lines.slice(0, end), line, ...lines.slice(end)].join("\n");
}

/** The lines of a group, from the first to the one after the last; what comes before any group is "". */
function bodyOf(lines: string[], group: string): [number, number] {
  const head = group ? lines.findIndex((line) => new RegExp(`^\\s*\\[\\s*${group}\\s*\\]\\s*(#.*)?$`).test(line)) : -1;
  if (group && head < 0) return [-1, -1];
  const next = lines.findIndex((line, at) => at > head && /^\s*\[/.test(line));
  return [head + 1, next < 0 ? lines.length : next];
}

function isKey(line: string, key: string): boolean {
  return key !== "" && new RegExp(`^\\s*${key.replace(".", "\\s*\\.\\s*")}\\s*=`).test(line);
}

/** A value that ends on its line, and the comment after it. */
const WHOLE = /^(\s*[\w.\s]+=\s*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#])*?)(\s*(?:#.*)?)$/;

function isWhole(line: string): boolean {
  const value = WHOLE.exec(line)?.[2];
  return value !== undefined && !/"""|'''/.test(value) && count(value, "[") === count(value, "]") && count(value, "{") === count(value, "}");
}

function count(text: string, letter: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "").split(letter).length - 1;
}

function replaced(lines: string[], at: number, value: unknown): string {
  const [, head = "", , tail = ""] = WHOLE.exec(lines[at] ?? "") ?? [];
  const now = value === null || value === undefined ? [] : [`${head}${written(value)}${tail}`];
  return [...lines.slice(0, at), ...now, ...lines.slice(at + 1)].join("\n");
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
