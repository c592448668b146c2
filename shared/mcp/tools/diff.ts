import * as v from 'valibot';
import { allPages } from '../../client/pages.ts';
import { routes } from '../../contract/api/routes.ts';
import { type DiffGrade, diffGrades, LineageDiff } from '../../contract/diff.ts';
import { limits } from '../../contract/limits.ts';
import { ProviderPage } from '../../contract/providers.ts';
import { pageArguments, pageAt, pageFields, positionOf } from '../pages.ts';
import { connectedPlaceOf } from '../places.ts';
import { firstOf, NotUnderstood, optionalText, outside, placeArguments, type ToolContext, tool } from '../tool.ts';

const breaksShown = 5;
const differencesShown = 3;
const partsRead = 10;
const undeclaredShown = 20;
const object = (description: string) => v.optional(v.pipe(v.looseObject({}), v.description(description)));

const input = v.object({
  path: optionalText(
    'Only for a server on this machine: the dbt project’s folder, its manifest.json, or a SQLMesh export. Prefer it to manifest and project.',
  ),
  manifest: object('The content of the branch’s dbt target/manifest.json.'),
  project: object('A SQLMesh export with the schema service.sqlmesh-project@v1.'),
  project_id: optionalText('Id of the live linked project. Default: the project name in the document.'),
  from: optionalText('The earlier time (RFC 3339), to compare two times instead of a branch.'),
  to: optionalText('The later time (RFC 3339). Default: now.'),
  grade: v.optional(v.pipe(v.array(v.picklist(diffGrades)), v.description('Only changes of these grades.'))),
  name: optionalText('Only changes of relations whose name contains this text.'),
  ...pageArguments(100, 30),
  ...placeArguments,
});
type Input = v.InferOutput<typeof input>;

export const diffBranch = tool({
  name: 'diff_branch',
  title: 'Compare a branch',
  description:
    'Compares a branch with the live lineage to find what merging it would break, or compares the lineage at two times. Use it to review a dbt or SQLMesh change. Pass one of path, manifest, project, or from. Returns an overall grade (breaking, risky or safe), counts, and a page of changed relations and columns, the most severe first, each with what it breaks downstream, and edges at them that only runs know (undeclared). With a cursor, pass the same branch again.',
  input,
  output: {
    grade: v.string(),
    changes: v.optional(v.array(v.looseObject({}))),
    ...v.partial(v.object(pageFields)).entries,
  },
  run: async (context, request) => {
    const position = positionOf(request.cursor);
    const { diff, next } = await comparisonOf(
      context,
      { ...request, to: request.to ?? position.asOf ?? undefined },
      position.page,
    );
    const { grade, not_evaluated, summary, undeclared, from, precision, truncated } = diff;
    if (not_evaluated) return { grade, not_evaluated, compared_with: from, next: not_evaluated.message };
    const changes = changesOf(diff);
    const items = changes.filter(
      (one) =>
        (request.grade === undefined || (one.grade !== null && request.grade.includes(one.grade))) &&
        one.names.some((name) => name.toLowerCase().includes((request.name ?? '').toLowerCase())),
    );
    const options = { limit: request.limit, noun: 'changes', asOf: diff.to.as_of ?? undefined };
    const {
      items: shown,
      words,
      ...counts
    } = pageAt({ items: items.map(({ names: _, ...one }) => one), next }, position, options);
    return {
      grade,
      summary,
      compared_with: from,
      ...counts,
      changes: shown,
      changes_by_grade: Object.fromEntries(
        diffGrades.map((one) => [one, changes.filter((change) => change.grade === one).length]),
      ),
      undeclared: firstOf(undeclared.edges, undeclaredShown),
      not_compared: firstOf(precision.reasons, 10),
      truncated,
      next: [
        words,
        ...(truncated.unlisted > 0
          ? [`The service left out ${truncated.unlisted} changes because of their number.`]
          : []),
        ...(truncated.unwalked > 0 ? [`${truncated.unwalked} changes were not followed downstream.`] : []),
        ...(next ? ['grade and counts are of this part of the graph only.'] : []),
        grade === 'safe'
          ? precision.reasons.length > 0 || truncated.unwalked > 0
            ? 'No break was found in what was compared. It is not known of the rest (not_compared).'
            : 'Nothing downstream is affected.'
          : 'Call get_impact on a broken relation to see what reads it.',
      ].join(' '),
    };
  },
});

type Comparison = { readonly diff: LineageDiff; readonly next: string | null };

async function comparisonOf(context: ToolContext, request: Input, cursor: string | null): Promise<Comparison> {
  const { path, from, to, project_id } = request;
  const document = path === undefined ? request : branchAt(context, path);
  const { manifest, project } = { manifest: undefined, project: undefined, ...document };
  const given = [path ?? manifest, path === undefined ? project : undefined, from].filter((one) => one !== undefined);
  if (given.length !== 1) throw new NotUnderstood('no_branch', 'Pass exactly one of path, manifest, project and from.');
  const place = await connectedPlaceOf(context, request, async (workspace_id, connectors) => {
    if (from !== undefined) return connectors;
    const type = manifest === undefined ? 'sqlmesh_project' : 'dbt_manifest';
    const pages = await allPages(context.api, routes.listProviders, { query: { workspace_id } });
    const feeding = v.parse(ProviderPage, pages).items.filter(({ provider_type }) => provider_type === type);
    return connectors.filter(({ id }) => feeding.some(({ connector_id }) => connector_id === id));
  });
  if (from !== undefined) return betweenTimes(context, { ...place, from, to }, cursor);
  const body = { ...place, manifest, project, project_id: project_id ?? nameOf(manifest ?? project) };
  return { diff: v.parse(LineageDiff, await context.api.ask(routes.diffProject, { body })), next: null };
}

function branchAt({ readBranch }: ToolContext, path: string) {
  if (readBranch) return readBranch(path);
  throw new NotUnderstood(
    'path_not_here',
    'This server runs elsewhere and cannot read your files. Pass manifest, or run `tributary mcp` on your machine.',
  );
}

/** Several parts of the graph as one comparison, up to a bound; the cursor goes on after them. */
async function betweenTimes(
  context: ToolContext,
  times: Record<string, string | undefined>,
  cursor: string | null,
): Promise<Comparison> {
  const partFrom = async (after: string | null) => {
    const query = { ...times, limit: limits.diff.edges.max, cursor: after ?? undefined };
    return v.parse(LineageDiff, await context.api.ask(routes.diffTimes, { query }));
  };
  let diff = await partFrom(cursor);
  for (let parts = 1; parts < partsRead && diff.next_cursor !== null; parts++) {
    await context.progress?.(parts, `${parts} parts of the graph are compared`);
    diff = joined(diff, await partFrom(diff.next_cursor));
  }
  return { diff, next: diff.next_cursor };
}

function joined(a: LineageDiff, b: LineageDiff): LineageDiff {
  const sum = <T extends Readonly<Record<string, number>>>(one: T, other: T) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value + (other[name] ?? 0)])) as T;
  const { summary, truncated } = a;
  return {
    ...b,
    from: a.from,
    grade: diffGrades.findLast((grade) => [a.grade, b.grade].includes(grade)) ?? 'safe',
    summary: {
      relations: sum(summary.relations, b.summary.relations),
      edges: sum(summary.edges, b.summary.edges),
      columns: sum(summary.columns, b.summary.columns),
      grades: sum(summary.grades, b.summary.grades),
    },
    relations: [...a.relations, ...b.relations],
    edges: [...a.edges, ...b.edges],
    columns: [...a.columns, ...b.columns],
    precision: { reasons: [...a.precision.reasons, ...b.precision.reasons] },
    truncated: {
      any: truncated.any || b.truncated.any,
      by_requests: truncated.by_requests || b.truncated.by_requests,
      by_bytes: truncated.by_bytes || b.truncated.by_bytes,
      unlisted: truncated.unlisted + b.truncated.unlisted,
      unwalked: truncated.unwalked + b.truncated.unwalked,
    },
  };
}

const Named = v.object({
  metadata: v.optional(v.looseObject({ project_name: v.nullish(v.string()) })),
  project: v.optional(v.looseObject({ name: v.optional(v.string()) })),
});

function nameOf(document: unknown): string | undefined {
  const named = v.safeParse(Named, document);
  if (!named.success) return undefined;
  return named.output.metadata?.project_name ?? named.output.project?.name;
}

const severity = (grade: DiffGrade | null): number => (grade === null ? 1 : -diffGrades.indexOf(grade));

/** Every change that the summary counts, the most severe first. `names` is what the filter by name compares. */
function changesOf({ relations, columns, edges }: LineageDiff) {
  return [
    ...relations.map(({ model, ...one }) => ({
      ...changed(one),
      names: [one.relation_ref],
      reasons: one.reasons,
      ...(model && {
        statement: firstOf(
          model.differences.map(({ before, after, ...difference }) => ({
            ...difference,
            before: before && outside(before),
            after: after && outside(after),
          })),
          differencesShown,
        ),
      }),
    })),
    ...columns.map((one) => ({ ...changed(one), names: [one.relation_ref], column: one.column })),
    ...edges.map(({ change, upstream, downstream, columns_added, columns_removed }) => ({
      names: [upstream, downstream],
      grade: null,
      change,
      edge: { upstream, downstream },
      ...(change === 'changed' && { mappings_added: columns_added.length, mappings_removed: columns_removed.length }),
    })),
  ].sort((a, b) => severity(a.grade) - severity(b.grade));
}

type Changed = Pick<
  LineageDiff['columns'][number],
  'change' | 'relation_ref' | 'grade' | 'breaks' | 'unexplored' | 'walked'
>;

const changed = ({ change, relation_ref, grade, breaks, unexplored, walked }: Changed) => ({
  grade,
  change,
  relation_ref,
  ...(breaks.length > 0 && {
    breaks: firstOf(
      breaks.map(({ via: _via, columns, ...one }) => ({ ...one, columns: columns.slice(0, 10) })),
      breaksShown,
    ),
  }),
  ...(unexplored > 0 && { unexplored }),
  ...(walked ? {} : { not_followed: true }),
});
