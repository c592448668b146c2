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
    'Tells what a branch would break: compares its dbt manifest or SQLMesh project with what is live. Or compares two times, by from and to.',
  input: v.object({
    manifest: object('A dbt manifest, as target/manifest.json has it.'),
    project: object('A SQLMesh export of schema service.sqlmesh-project@v1.'),
    project_id: optionalText('The linked project that is live; its own name where it is left out.'),
    from: optionalText('The earlier time, RFC 3339, instead of a branch.'),
    to: optionalText('The later time; now where it is left out.'),
    ...placeArguments,
  }),
  run: async (context, { manifest, project, project_id, from, to, ...named }) => {
    const place = await placeOf(context, named);
    const body = { ...place, manifest, project, project_id: project_id ?? nameOf(manifest ?? project) };
    const asked =
      from === undefined
        ? context.api.ask(routes.diffProject, { body })
        : context.api.ask(routes.diffTimes, { query: { ...place, from, to } });
    return described(v.parse(LineageDiff, await asked));
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
  const { grade, not_evaluated, summary, relations, columns, from, precision, truncated } = diff;
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
    truncated: { ...truncated, left_out: changed.left_out + changedColumns.left_out },
    precision: cut(precision.reasons, changesShown),
    next:
      grade === 'safe' ? 'Nothing that is live is affected.' : 'get_impact of a broken relation tells who reads it.',
  };
}
