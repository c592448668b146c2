import { limits } from '../../../../contract/limits.ts';
import { Problem } from '../../../../contract/problems.ts';
import { findOrAdd } from '../../../base/collections.ts';
import type { ExternalRelation, Model, ModelProject } from './model-project.ts';

/** What a model reads once inlined models are collapsed. */
export type Dependencies = {
  /** The relations, without the model's own. */
  readonly relations: readonly (Model | ExternalRelation)[];
  readonly inlined: readonly Model[];
  /** Ids that the document does not describe. */
  readonly unknown: readonly string[];
};

/** Inlined models pass on their dependencies (C-SQLMESH-4, C-DBT-2). Throws if they multiply (C-DECLARED-16). */
export function dependenciesOf(project: ModelProject): (model: Model) => Dependencies {
  const members = new Map<string, Model | ExternalRelation>(
    [...project.sources, ...project.models].map((one) => [one.id, one]),
  );
  const known = new Map<string, Dependencies>();
  let followed = 0;
  const follow = () => {
    if (++followed > most) throw tooMany(project);
  };
  return (model) => findOrAdd(known, model.id, () => collapse(members, model, follow));
}

const most = limits.declared.dependencies;

const tooMany = ({ root }: ModelProject) =>
  new Problem('validation_error', {
    errors: [{ path: root, message: `must not have more than ${most} dependencies once inlined models are collapsed` }],
  });

function collapse(
  members: ReadonlyMap<string, Model | ExternalRelation>,
  model: Model,
  follow: () => void,
): Dependencies {
  const relations = new Map<string, Model | ExternalRelation>();
  const inlined = new Map<string, Model>();
  const unknown = new Set<string>();
  const open = [...model.dependsOn];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    follow();
    const member = members.get(id);
    if (!member) unknown.add(id);
    else if (member.node) relations.set(id, member);
    else if ('dependsOn' in member && !inlined.has(id)) {
      inlined.set(id, member);
      for (const dependency of member.dependsOn) open.push(dependency);
    }
  }
  relations.delete(model.id);
  return { relations: [...relations.values()], inlined: [...inlined.values()], unknown: [...unknown] };
}

/** The models, each after what it depends on; those of a circle come in document order. */
export function inDependencyOrder(models: readonly Model[]): Model[] {
  const byId = new Map(models.map((model) => [model.id, model]));
  const done = new Set<string>();
  const entered = new Set<string>();
  const order: Model[] = [];
  for (const root of models) {
    const open = [root];
    for (let model = open.at(-1); model; model = open.at(-1)) {
      const waiting = entered.has(model.id) ? [] : model.dependsOn.flatMap((id) => byId.get(id) ?? []);
      entered.add(model.id);
      const next = waiting.filter(({ id }) => !entered.has(id));
      for (const one of next) open.push(one);
      if (next.length > 0) continue;
      open.pop();
      if (!done.has(model.id)) order.push(model);
      done.add(model.id);
    }
  }
  return order;
}
