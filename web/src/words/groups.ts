/** Groups of options by name. */
import { capital, say } from ".";

const GROUPS = ["board", "chance", "start", "movement", "capture", "block", "safe", "finish", "turn", "win", "modes", "players"] as const;

export function groupName(group: string): string {
  const known = GROUPS.find((one) => one === group);
  return known ? say(`group_${known}`) : capital(group);
}

/** Things with a group, group by group. */
export function byGroup<T extends { group: string }>(all: T[]): [string, T[]][] {
  const sorted = new Map<string, T[]>();
  for (const one of all) sorted.set(one.group, [...(sorted.get(one.group) ?? []), one]);
  return [...sorted];
}
