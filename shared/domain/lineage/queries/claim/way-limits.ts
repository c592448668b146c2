import { type ClaimLimit, limitOf } from '../../../../contract/claim.ts';
import { sortedBy } from '../../../base/collections.ts';
import { isUndeclaredReader, nodeId, refOf, type Urn } from '../../graph/node.ts';
import type { UnfinishedRun } from '../../graph/runs.ts';
import { jobOfScope } from '../../sources/openlineage/job-scopes.ts';
import type { GraphView } from '../../traversal/graph-view.ts';
import { alternativeNames } from '../../traversal/names.ts';
import { namesBesides } from '../../traversal/renames.ts';
import { keysOf, readersBeforeDrop, silentReaders } from '../../traversal/silent-readers.ts';

const mostRuns = 1_000;

/**
 * What the graph knows about the relations on the way but has no edge for (C-CLAIM-4). For every kind of question.
 * @param read those of the explored whose readers matter
 */
export async function wayLimits(
  view: GraphView<'unfinished'>,
  explored: readonly Urn[],
  read: readonly Urn[] = explored,
): Promise<ClaimLimit[]> {
  if (explored.length === 0) return [];
  const [renamed, silent, runs] = await Promise.all([
    namesBesides(view, explored),
    silentLimits(view, read),
    view.reader.unfinished.list(view.context.graph, mostRuns + 1),
  ]);
  const readers = explored.filter(isUndeclaredReader);
  // Afterwards: what the others read of the graph names more that is gone.
  const ended = [...(await readersBeforeDrop(view, read))].filter((urn) => !explored.includes(urn)).map(refOf);
  return [
    ...(renamed.length > 0 ? [limitOf('renamed', { subjects: renamed.map(refOf) })] : []),
    ...(readers.length > 0 ? [limitOf('undeclared_read', { subjects: readers.map(refOf) })] : []),
    ...silent,
    ...(ended.length > 0 ? [limitOf('read_before_drop', { subjects: ended.sort() })] : []),
    ...runLimits(view, explored, runs),
  ];
}

/** That something reads relations of the answer and feeds nothing known. */
async function silentLimits(view: GraphView, relations: readonly Urn[]): Promise<ClaimLimit[]> {
  const readers = await silentReaders(view, relations, { isMadeAgain: true });
  const newest = sortedBy(readers, ({ at, scope }) => `${at} ${scope}`).at(-1);
  if (!newest) return [];
  const [key = ''] = await keysOf(view, [newest]);
  const job = jobOfScope(key);
  const detail = job ? `${job.namespace}/${job.name}` : key.split(':').slice(2).join(':');
  const subjects = [...new Set(readers.map(({ relation }) => refOf(relation)))].sort();
  return [limitOf('read_without_output', { subjects, detail })];
}

/** The runs without an end that name a relation of the answer: what they state is not in the graph (C-OPENLINEAGE-26). */
function runLimits({ nodes, asOf }: GraphView, explored: readonly Urn[], runs: readonly UnfinishedRun[]): ClaimLimit[] {
  if (runs.length === 0) return [];
  const namesOf = (urn: Urn) => [urn, ...alternativeNames(nodes.factsOf(urn))];
  const refs = new Map(explored.flatMap((urn) => namesOf(urn).map((name) => [nodeId(name), refOf(urn)] as const)));
  const isBegun = ({ since }: UnfinishedRun) => asOf === null || Date.parse(since) <= Date.parse(asOf);
  const concerned = runs.filter((run) => isBegun(run) && run.nodes.some((node) => refs.has(node)));
  const subjects = [...new Set(concerned.flatMap((run) => run.nodes.flatMap((node) => refs.get(node) ?? [])))].sort();
  const [detail = ''] = concerned.map(({ job }) => job.name).sort();
  return [
    ...(subjects.length > 0 ? [limitOf('run_not_complete', { subjects, detail })] : []),
    ...(runs.length > mostRuns ? [limitOf('runs_not_checked')] : []),
  ];
}
