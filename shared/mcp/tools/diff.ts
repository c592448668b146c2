import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { LineageDiff } from '../../contract/diff.ts';
import { placeOf } from '../places.ts';
import { type Answer, cut, optionalText, placeArguments, tool } from '../tool.ts';

const changesShown = 30;
const object = (description: string) => v.optional(v.pipe(v.looseObject({}), v.description(description)));

export const diffBranch = tool({
  name: 'diff_branch',
  title: 'Compare a branch',
  description:
    'Compares a branch with the live lineage to find what merging it would break, or compares the lineage at two times. Use it to review a dbt or SQLMesh change. Pass one of manifest, project, or from. Returns an overall grade (breaking, risky or safe) and up to 30 changed relations and 30 changed columns and their downstream impact, and edges at them that only runs know (undeclared); truncated and precision state what is missing.',
  input: v.object({
    manifest: object('The content of the branch’s dbt target/manifest.json.'),
    project: object('A SQLMesh export with the schema service.sqlmesh-project@v1.'),
    project_id: optionalText('Id of the live linked project. Default: the project name in the document.'),
    from: optionalText('The earlier time (RFC 3339), to compare two times instead of a branch.'),
    to: optionalText('The later time (RFC 3339). Default: now.'),
    ...placeArguments,
  }),
  run: async (context, { manifest, project, project_id, from, to, ...named }) => {
    const place = await placeOf(context, named);
    const body = { ...place, manifest, project, project_id: project_id ?? nameOf(manifest ?? project) };
    const comparison =
      from === undefined
        ? context.api.ask(routes.diffProject, { body })
        : context.api.ask(routes.diffTimes, { query: { ...place, from, to } });
    return described(v.parse(LineageDiff, await comparison));
  },
});

const Named = v.object({
  metadata: v.optional(v.looseObject({ project_name: v.nullish(v.string()) })),
  project: v.optional(v.looseObject({ name: v.optional(v.string()) })),
});

function nameOf(document: unknown): string | undefined {
  const named = v.safeParse(Named, document);
  if (!named.success) return undefined;
  return named.output.metadata?.project_name ?? named.output.project?.name;
}

function described(diff: LineageDiff): Answer {
  const { grade, not_evaluated, summary, relations, columns, undeclared, from, precision, truncated } = diff;
  if (not_evaluated) return { grade, not_evaluated, compared_with: from, next: not_evaluated.message };
  const changed = cut(
    relations.filter((one) => one.grade !== 'safe'),
    changesShown,
  );
  const changedColumns = cut(
    columns.filter((one) => one.grade !== 'safe'),
    changesShown,
  );
  return {
    grade,
    summary,
    compared_with: from,
    relations: changed.items,
    columns: changedColumns.items.map(({ before: _before, after: _after, ...one }) => one),
    undeclared: cut(undeclared.edges, changesShown),
    truncated: { ...truncated, left_out: changed.left_out + changedColumns.left_out },
    precision: cut(precision.reasons, changesShown),
    next:
      grade === 'safe'
        ? 'Nothing in the live graph is affected.'
        : 'Call get_impact on a broken relation to see what reads it.',
  };
}
