type Recent = { readonly connector: string; readonly relation: string };

const key = 'tributary.recent';
const maxRecent = 8;

export function recentRelations(): readonly Recent[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

export function rememberRelation({ connector, relation }: Recent): void {
  const others = recentRelations().filter((one) => one.connector !== connector || one.relation !== relation);
  localStorage.setItem(key, JSON.stringify([{ connector, relation }, ...others].slice(0, maxRecent)));
}
