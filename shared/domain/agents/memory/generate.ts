import type { GenerateMemory, MemoryCandidate, MemoryType } from '../../../contract/agent-memory.ts';
import { beginningOf, withoutTrailing } from '../../../contract/fields.ts';
import type { ConnectorId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import type { NamesReader } from '../../lineage/generations/graph-record.ts';
import type { RelationDirectory } from '../../lineage/graph/name-parts.ts';
import { type GraphId, graphOf } from '../../lineage/graph/node.ts';
import { idFromName, type Operator } from '../../workspaces/access/operator.ts';
import type { Author } from '../../workspaces/access/records.ts';

export type MemoryPorts = Operator & {
  readonly directory: Pick<RelationDirectory, 'named'>;
  readonly namesOf: NamesReader;
};

/** Makes candidates of the sentences of a correction: the same words about the same thing are one candidate. */
export async function generateCandidates(
  ports: MemoryPorts,
  author: Author,
  { correction_text, limit, query_request_id }: GenerateMemory,
): Promise<MemoryCandidate[]> {
  const created: MemoryCandidate[] = [];
  for (const sentence of sentencesOf(correction_text ?? '').slice(0, limit)) {
    const target = await targetOf(ports, author.workspace, sentence);
    created.push(
      await keepCandidate(ports, author, candidateOf(ports, author, { sentence, target, query_request_id })),
    );
  }
  return created;
}

const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/([.!?])\s+/g, '$1\n')
    .split(/\n+|;\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

type Target = { readonly type: 'relation' | 'column'; readonly key: string; readonly exact: boolean };

/** The maximum number of words to look up per sentence. */
const maxWords = 24;

/** The relation or column that the first word of a sentence names that is one in the graph; a name of many parts first. */
async function targetOf(ports: MemoryPorts, workspace: WorkspaceId, sentence: string): Promise<Target | null> {
  const names = await ports.namesOf(workspace);
  const graph = graphOf(workspace, names.generation);
  const words = [...new Set(sentence.match(/[\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$]+)*/gu) ?? [])].slice(0, maxWords);
  const byParts = words.toSorted((a, b) => b.split('.').length - a.split('.').length);
  for (const word of byParts) {
    for (const { id } of names.connectors) {
      const found = (await relationOf(ports, graph, id, word)) ?? (await columnOf(ports, graph, id, word));
      if (found && found.key.length <= limits.memory.targetKey) return found;
    }
  }
  return null;
}

async function relationOf(
  ports: MemoryPorts,
  graph: GraphId,
  connector: ConnectorId,
  name: string,
): Promise<Target | null> {
  const table = name.split('.').at(-1) ?? name;
  const entries = await ports.directory.named(graph, connector, table);
  const folded = name.toLowerCase();
  const refs = entries
    .map(({ ref }) => ref)
    .filter((ref) => ref.toLowerCase() === folded || ref.toLowerCase().endsWith(`.${folded}`));
  const [ref] = refs.sort();
  return ref === undefined || refs.length > 1 ? null : { type: 'relation', key: ref, exact: name.includes('.') };
}

/** `orders.total`: a column, where what stands before it is a relation. */
async function columnOf(
  ports: MemoryPorts,
  graph: GraphId,
  connector: ConnectorId,
  name: string,
): Promise<Target | null> {
  const cut = name.lastIndexOf('.');
  const relation = cut < 0 ? null : await relationOf(ports, graph, connector, name.slice(0, cut));
  return relation && { type: 'column', key: `${relation.key}.${name.slice(cut + 1)}`, exact: true };
}

type Content = { readonly sentence: string; readonly target: Target | null; readonly query_request_id: string | null };

function candidateOf(
  ports: MemoryPorts,
  { workspace, userId }: Author,
  { sentence, target, query_request_id }: Content,
): MemoryCandidate {
  const dedupe_key = idFromName('meaning', target?.key ?? '', ...meaningOf(sentence));
  return {
    id: '',
    workspace_id: workspace,
    approved_memory_id: null,
    confidence: target === null ? 0.4 : target.exact ? 0.9 : 0.7,
    content: sentence,
    created_at: ports.clock.now().toISOString(),
    created_by: userId,
    dedupe_key,
    evidence_count: 1,
    evidence_refs: { corrected_by: [userId], query_request_ids: query_request_id === null ? [] : [query_request_id] },
    memory_type: typeOf(sentence),
    query_request_id,
    rationale: rationaleOf(target),
    review_after: null,
    reviewed_at: null,
    reviewed_by: null,
    scope: 'workspace',
    source: 'user_feedback',
    status: 'pending',
    supersedes_memory_id: null,
    tags: [],
    target_key: target?.key ?? null,
    target_type: target?.type ?? null,
    title: beginningOf(sentence, limits.memory.title),
  };
}

const rationaleOf = (target: Target | null): string =>
  target === null
    ? 'A correction that names no relation of the graph.'
    : `A correction that names a ${target.type} of the graph.`;

const filler = new Set(
  'a an and are as at be by for from in is it its of on or that the this to was were with'.split(' '),
);

const meaningOf = (sentence: string): string[] =>
  (sentence.toLowerCase().match(/[\p{L}\p{N}_$.]+/gu) ?? [])
    .map((word) => withoutTrailing('.', word))
    .filter((word) => word !== '' && !filler.has(word));

const typeMarkers: readonly (readonly [RegExp, MemoryType])[] = [
  [/\b(prefer|rather|always|never|please)\b/i, 'preference'],
  [/\b(means|is defined as|is the|stands for|refers to)\b/i, 'definition'],
  [/\b(beware|careful|caveat|except|unless|only until|note that)\b/i, 'caveat'],
  [/\b(excludes?|includes?|counts?|instead of|not)\b/i, 'semantic_correction'],
];

const typeOf = (sentence: string): MemoryType =>
  typeMarkers.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'correction';

const maxAttempts = 16;

/** The pending candidate of the same meaning with one more piece of evidence, or a new one. */
async function keepCandidate(
  ports: MemoryPorts,
  { workspace, userId }: Author,
  candidate: MemoryCandidate,
): Promise<MemoryCandidate> {
  const { memory } = ports.registry;
  for (let [round, attempt] = [0, 0]; attempt < maxAttempts; attempt++) {
    const id = idFromName('mc', workspace, candidate.dedupe_key, String(round));
    const found = await memory.find({ workspace_id: workspace, id });
    // What was decided stays decided: the next one of that meaning is another candidate.
    if (found && (found.record.status !== 'pending' || !isFor(found.record, userId))) {
      round++;
      continue;
    }
    const record = found ? withEvidence(found.record, candidate) : { ...candidate, id };
    const write = found ? memory.replace(found, record) : memory.create(record);
    if (await ports.registry.commit([write])) return record;
  }
  throw new Problem('conflict');
}

const isFor = ({ scope, created_by }: MemoryCandidate, user: UserId): boolean =>
  scope !== 'personal' || created_by === user;

const withEvidence = (known: MemoryCandidate, repeat: MemoryCandidate): MemoryCandidate => ({
  ...known,
  evidence_count: known.evidence_count + 1,
  evidence_refs: mergedRefs(known.evidence_refs, repeat.evidence_refs),
});

const mergedRefs = (known: MemoryCandidate['evidence_refs'], repeat: MemoryCandidate['evidence_refs']) =>
  Object.fromEntries(
    Object.entries(repeat).map(([name, refs]) => [
      name,
      [...new Set([...asList(known[name]), ...asList(refs)])].slice(-50),
    ]),
  );

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
