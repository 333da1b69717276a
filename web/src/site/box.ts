/** Where a page keeps its tables: IndexedDB. Python (ludus.server.in_page) awaits these; every text is JSON. */
const TABLES = "tables";
const FACTS = "facts";

type Fact = [version: number, ...rest: unknown[]];

let opened: Promise<IDBDatabase> | undefined;

function base(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("ludus", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore(TABLES);
      asked.result.createObjectStore(FACTS);
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("IndexedDB"));
  });
  return opened;
}

/** Kept when the transaction is complete, all of it or nothing. */
async function write(work: (tables: IDBObjectStore, facts: IDBObjectStore) => void): Promise<void> {
  const transaction = (await base()).transaction([TABLES, FACTS], "readwrite", { durability: "strict" });
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
    work(transaction.objectStore(TABLES), transaction.objectStore(FACTS));
  });
}

function put(store: IDBObjectStore, table: string, facts: string): void {
  for (const fact of JSON.parse(facts) as Fact[]) store.add(fact, [table, fact[0]]);
}

function got<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("IndexedDB"));
  });
}

export const box = {
  begin: (table: string, opening: string, facts: string) =>
    write((tables, kept) => {
      tables.add(opening, table);
      put(kept, table, facts);
    }),
  append: (table: string, facts: string) => write((_, kept) => put(kept, table, facts)),
  async load(table: string): Promise<string> {
    const transaction = (await base()).transaction([TABLES, FACTS]);
    const opening = await got(transaction.objectStore(TABLES).get(table) as IDBRequest<string | undefined>);
    if (opening === undefined) return "";
    const all = IDBKeyRange.bound([table, 0], [table, Infinity]);
    const facts = await got(transaction.objectStore(FACTS).getAll(all));
    return `[${opening},${JSON.stringify(facts)}]`;
  },
};
