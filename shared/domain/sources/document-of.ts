import type { CatalogContext } from './datahub/derive-catalog.ts';
import type { DeclaredDocument } from './read-declared.ts';

/** The document of a request's body, and the import source that it names; the intake API has held the body to its route's schema. */
export function documentOf(
  kind: DeclaredDocument['kind'],
  body: unknown,
): { readonly document: DeclaredDocument } & Pick<CatalogContext, 'importSource'> {
  const { import_source: importSource = 'default', ...rest } = body as { readonly import_source?: string };
  return { document: { ...rest, kind } as unknown as DeclaredDocument, importSource };
}
