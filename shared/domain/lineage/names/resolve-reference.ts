import type { ResolutionMethod } from '../../../contract/vocabulary.ts';
import { type Node, urnOf } from '../graph/node.ts';
import type { SqlName } from '../sql/types.ts';
import { type Connector, platformOf } from './connector.ts';
import { isDatasetUrn, resolveDatahubUrn } from './datahub-urn.ts';
import { foldPart, formatRef, partsOfRef, qualifyParts, splitGlueName, splitName } from './relation-ref.ts';
import { resolveDataset } from './resolve-dataset.ts';

type Method = Exclude<ResolutionMethod, 'alias' | 'unresolved'>;

export type ReferencePlan = {
  /** The nodes that the reference may mean, best first: the first that is in the graph is meant. */
  readonly candidates: readonly { readonly node: Node; readonly method: Method }[];
  /** What to look for among the connector's relations with the same last part where no candidate is in the graph. */
  readonly suffix: { readonly table: string; readonly parts: readonly string[] } | null;
};

/** More namespaces than a reference can have; each slash in it may end one. */
const maxNamespaces = 16;

/** How to find a `relation_ref` on a connector (C-IDENTITY-10): a name, `namespace/name`, DataHub URN or exposure. */
export function referencePlan(connectors: readonly Connector[], connector: Connector, text: string): ReferencePlan {
  const reference = text.trim();
  const datahub = isDatasetUrn(reference) ? resolveDatahubUrn(connectors, connector, reference) : null;
  if (datahub) return { candidates: [{ node: datahub, method: 'exact' }], suffix: null };
  const split = /^awsdatacatalog\//i.test(reference) ? splitGlueName : splitName;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(reference);
  const written = hasScheme ? null : split(reference);
  // A name of a platform without rules may be an address as well.
  const address = hasScheme && !platformOf(connector).levels ? split(reference) : null;
  return {
    candidates: distinct([
      ...(written ? relationCandidates(connector, written) : []),
      ...datasetCandidates(connectors, reference),
      ...(address ? relationCandidates(connector, address) : []),
      { node: { kind: 'exposure', connectorId: connector.id, name: reference }, method: 'exact' },
    ]),
    suffix: written ? suffixOf(connector, written) : null,
  };
}

function relationCandidates(connector: Connector, written: readonly SqlName[]): ReferencePlan['candidates'] {
  const platform = platformOf(connector);
  const asWritten = written.map(({ text }) => (platform.foldsQuoted ? text.toLowerCase() : text));
  const folded = written.map((part) => foldPart(platform, part));
  const node = (parts: readonly string[]): Node => ({
    kind: 'relation',
    connectorId: connector.id,
    ref: formatRef(platform, parts),
  });
  const whole = (parts: readonly string[]): Method =>
    parts.every((part, i) => part === written[i]?.text) ? 'exact' : 'case_folded';
  return [
    { node: node(asWritten), method: whole(asWritten) },
    { node: node(folded), method: whole(folded) },
    { node: node(qualifyParts(connector, asWritten)), method: 'default_qualified' },
    { node: node(qualifyParts(connector, folded)), method: 'default_qualified' },
  ];
}

/** `namespace/name`: a namespace may hold slashes, so every slash may be the one between. */
function datasetCandidates(connectors: readonly Connector[], reference: string): ReferencePlan['candidates'] {
  const found: { node: Node; method: Method }[] = [];
  let slash = reference.indexOf('/', 1);
  for (let tried = 0; slash > 0 && slash < reference.length - 1 && tried < maxNamespaces; tried++) {
    const dataset = { namespace: reference.slice(0, slash), name: reference.slice(slash + 1), symlinks: [] };
    found.push({ node: resolveDataset(connectors, dataset).node, method: 'exact' });
    slash = reference.indexOf('/', slash + 1);
  }
  return found;
}

function distinct(candidates: ReferencePlan['candidates']): ReferencePlan['candidates'] {
  const seen = new Map<string, ReferencePlan['candidates'][number]>();
  for (const candidate of candidates) {
    const urn = urnOf(candidate.node);
    if (!seen.has(urn)) seen.set(urn, candidate);
  }
  return [...seen.values()];
}

function suffixOf(connector: Connector, written: readonly SqlName[]): ReferencePlan['suffix'] {
  const most = platformOf(connector).levels?.[1] ?? written.length;
  const table = written.at(-1)?.text;
  return table === undefined || written.length > most
    ? null
    : { table, parts: written.map(({ text }) => text.toLowerCase()) };
}

type SuffixMatch =
  | { readonly kind: 'one'; readonly ref: string; readonly method: Method }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly refs: readonly string[] };

/** The one relation whose name ends in the parts, whatever its case. All `refs` have the last part `suffix.table`. */
export function matchSuffix(
  connector: Connector,
  suffix: NonNullable<ReferencePlan['suffix']>,
  refs: readonly string[],
): SuffixMatch {
  const platform = platformOf(connector);
  const target = JSON.stringify(suffix.parts);
  const ends = refs.filter((ref) => {
    const parts = partsOfRef(platform, ref).map((part) => part.toLowerCase());
    return JSON.stringify(parts.slice(-suffix.parts.length)) === target;
  });
  const [ref] = ends;
  if (ref === undefined) return { kind: 'none' };
  if (ends.length > 1) return { kind: 'ambiguous', refs: ends };
  const isWhole = partsOfRef(platform, ref).length === suffix.parts.length;
  return { kind: 'one', ref, method: isWhole ? 'case_folded' : 'unique_suffix' };
}
