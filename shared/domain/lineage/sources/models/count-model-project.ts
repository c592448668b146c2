import type { ProjectCounts } from '../declared/declared.ts';
import { dependenciesOf } from './dependencies.ts';
import type { ModelProject } from './model-project.ts';

/** The counts of a receipt. Cheap: no SQL is parsed. */
export function countModelProject(project: ModelProject): ProjectCounts {
  const { models, sources } = project;
  const dependencies = dependenciesOf(project);
  const claimed = models.filter(({ node }) => node !== null);
  return {
    models: project.modelCount,
    nodes: sources.length + claimed.filter(({ node }) => node?.kind === 'relation').length,
    dependencies: sum(models.map(({ dependsOn }) => new Set(dependsOn).size)),
    column_maps: claimed.filter(({ statement }) => statement.kind === 'sql').length,
    observations: sum(claimed.map((model) => dependencies(model).relations.length)),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
