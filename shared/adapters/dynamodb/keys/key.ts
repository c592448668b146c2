/**
 * Every key of the tables, and nothing else spells one. Each takes a branded WorkspaceId first,
 * so that a key across workspaces cannot be written; the ids hold no `#`.
 */
export type Key = { readonly pk: string; readonly sk: string };

/** The key of an item as it was read. */
export const keyOf = (item: Readonly<Record<string, { readonly S?: string | undefined }>>): Key => ({
  pk: item['pk']?.S ?? '',
  sk: item['sk']?.S ?? '',
});

/** A key as one text, to tell items apart. */
export const keyName = ({ pk, sk }: Key): string => `${pk} ${sk}`;
