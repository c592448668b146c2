import * as v from 'valibot';
import { requestAnswer, requestItems } from '../../client/api.ts';
import { routes } from '../../contract/api/routes.ts';
import { limitLines } from '../../contract/claim-words.ts';
import { BranchFiles, type DiffGrade, diffGrades, type LineageDiff } from '../../contract/diff.ts';
import { limits } from '../../contract/limits.ts';
import { listTool } from '../pages.ts';
import { connectedPlaceOf } from '../places.ts';
import {
  ClaimShown,
  claimShown,
  firstOf,
  NotUnderstood,
  optionalText,
  outside,
  placeArguments,
  type ToolContext,
} from '../tool.ts';

const breaksShown = 5;
const differencesShown = 3;
const undeclaredShown = 20;
const filesShown = 30;
const object = (description: string) => v.optional(v.pipe(v.looseObject({}), v.description(description)));

const input = {
  path: optionalText(
    'Only for a server on this machine: the dbt project’s folder, its manifest.json, or a SQLMesh export. Prefer it to manifest and project.',
  ),
  manifest: object('The content of the branch’s dbt target/manifest.json.'),
  project: object('A SQLMesh export with the schema service.sqlmesh-project@v1.'),
  files: v.optional(
    v.pipe(
      BranchFiles,
      v.description(
        'Changed SQL files of a pushed project: path (or the name of the relation), and sql, compiled if you can.',
      ),
    ),
  ),
  project_id: optionalText('Id of the live linked project. Default: the project name in the document.'),
  from: optionalText('The earlier time (RFC 3339), to compare two times instead of a branch.'),
  to: optionalText('The later time (RFC 3339). Default: now.'),
  grade: v.optional(v.pipe(v.array(v.picklist(diffGrades)), v.description('Only changes of these grades.'))),
  name: optionalText('Only changes of relations whose name contains this text.'),
  ...placeArguments,
};
type Input = v.InferOutput<v.ObjectSchema<typeof input, undefined>>;

export const diffBranch = listTool({
  name: 'diff_branch',
  title: 'Compare a branch',
  description:
    'Compares a branch with the live lineage to find what merging it would break, or compares the lineage at two times. Use it to review a dbt or SQLMesh change. Pass one of path, manifest, project, files, or from. Returns a claim, an overall grade (breaking, risky, safe or not_evaluated), counts, and a page of changed relations and columns, the most severe first, each with what it breaks downstream, and edges at them that only runs know (undeclared). Only if the kind of the claim is nothing_known_breaks is merging known to break nothing; incomplete says what else may break. A file that cannot be compared has a problem in files. With a cursor, pass the same branch again.',
  list: 'changes',
  limit: { most: 100, usual: 30 },
  input,
  output: { grade: v.string(), claim: ClaimShown },
  run: async (context, request, position) => {
    const times = { to: request.to ?? position.asOf ?? undefined, cursor: position.page ?? undefined };
    const diff = await comparisonOf(context, request, times);
    const { grade, not_evaluated, files, from, next_cursor: next } = diff;
    const claim = claimShown(diff.claim);
    if (not_evaluated && !files)
      return { grade, claim, not_evaluated, compared_with: from, next: not_evaluated.message };
    const isPart = next !== null || position.page !== null;
    return {
      items: changesOf(diff)
        .filter(fits(request))
        .map(({ names: _, ...one }) => one),
      next,
      asOf: diff.to.as_of,
      fields: {
        grade,
        claim,
        incomplete: limitLines(diff.claim),
        ...(files && { not_evaluated, files: firstOf(files, filesShown) }),
        summary: diff.summary,
        compared_with: from,
        undeclared: firstOf(diff.undeclared.edges, undeclaredShown),
        not_compared: firstOf(diff.precision.reasons, 10),
        truncated: diff.truncated,
      },
      advice: [
        not_evaluated?.message ?? false,
        isPart && 'grade and summary are of this part of the graph only.',
        claim.kind === 'breaks' ? 'Call get_impact on a broken relation to see what reads it.' : claim.sentence,
      ],
    };
  },
});

const fits =
  ({ grade, name = '' }: Pick<Input, 'grade' | 'name'>) =>
  (one: { readonly grade: DiffGrade | null; readonly names: readonly string[] }) =>
    (grade === undefined || (one.grade !== null && grade.includes(one.grade))) &&
    one.names.some((each) => each.toLowerCase().includes(name.toLowerCase()));

type Times = { readonly to: string | undefined; readonly cursor: string | undefined };

async function comparisonOf(context: ToolContext, request: Input, times: Times): Promise<LineageDiff> {
  const { path, from, files, project_id } = request;
  const given = [path, request.manifest, request.project, files, from].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new NotUnderstood('no_branch', 'Pass exactly one of path, manifest, project, files and from.');
  const document = path === undefined ? request : branchAt(context, path);
  const { manifest, project } = { manifest: undefined, project: undefined, ...document };
  const place = await connectedPlaceOf(context, request, async (workspace_id, connectors) => {
    if (from !== undefined) return connectors;
    const types = [...(project ? [] : ['dbt_manifest']), ...(manifest ? [] : ['sqlmesh_project'])];
    const feeds = await requestItems(context.api, routes.listProviders, { query: { workspace_id } });
    const feeding = feeds.filter(({ provider_type }) => types.includes(provider_type));
    return connectors.filter(({ id }) => feeding.some(({ connector_id }) => connector_id === id));
  });
  const body = { ...place, manifest, project, files, project_id: project_id ?? nameOf(manifest ?? project) };
  if (from === undefined) return requestAnswer(context.api, routes.diffProject, { body });
  const query = { ...place, ...times, from, limit: limits.diff.edges.max };
  return requestAnswer(context.api, routes.diffTimes, { query });
}

function branchAt({ readBranch }: ToolContext, path: string) {
  if (readBranch) return readBranch(path);
  throw new NotUnderstood(
    'path_not_here',
    'This server runs elsewhere and cannot read your files. Pass manifest, or run `tributary mcp` on your machine.',
  );
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
