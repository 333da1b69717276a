/** Short lines that tell a player something and go away by themselves. */
export interface Notice {
  id: number;
  text: string;
  tone: "plain" | "bad";
}

export const notices: Notice[] = $state([]);
let next = 1;

export function tell(text: string, tone: Notice["tone"] = "plain"): void {
  const id = next++;
  notices.push({ id, text, tone });
  if (notices.length > 3) notices.shift();
  setTimeout(() => dismiss(id), tone === "bad" ? 8000 : 5000);
}

export function dismiss(id: number): void {
  const at = notices.findIndex((notice) => notice.id === id);
  if (at >= 0) notices.splice(at, 1);
}
