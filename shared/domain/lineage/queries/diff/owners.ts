// Who owns what changes break: the owners that the project's documents, exposures and DataHub's datasets name. No list of them is kept.
import type { LineageDiff } from '../../../../contract/diff.ts';
import { compare } from '../../../base/collections.ts';
import { type Node, refOf, type Urn, urnOf } from '../../graph/node.ts';
import type { Model } from '../../sources/models/model-project.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import { factsIn } from '../impact/ask-impact.ts';
import type { Branch } from './branch.ts';
import type { Graded } from './change-impact.ts';
import type { LiveProject } from './live-scope.ts';
import type { Matching } from './match-branch.ts';

type OwnedModel = { readonly urn: Urn; readonly owners: readonly string[] };
type Stated = { readonly edges: readonly EvaluatedEdge[]; readonly models: readonly OwnedModel[] };

/** What the changes break, by owner. A relation with several owners is listed with each. */
export function ownersOf(
  { relations, columns }: Graded,
  { edges, models }: Stated,
): NonNullable<LineageDiff['owners']> {
  const broken = new Set([...relations, ...columns].flatMap(({ effect }) => effect.impacted.map(({ urn }) => urn)));
  const ofModels = new Map(models.map(({ urn, owners }) => [urn, owners]));
  const open = edges.filter(({ downstream }) => broken.has(downstream) && !ofModels.has(downstream));
  const facts = factsIn(open);
  const owned = [...broken].flatMap((urn) => {
    const names = ofModels.get(urn) ?? facts.get(urn)?.owners ?? [];
    return (names.length > 0 ? names : [null]).map((owner) => ({ owner, relation_ref: refOf(urn) }));
  });
  return [...Map.groupBy(owned, ({ owner }) => owner)]
    .map(([owner, all]) => ({ owner, relation_refs: all.map(({ relation_ref }) => relation_ref).sort(compare) }))
    .sort((a, b) => Number(a.owner === null) - Number(b.owner === null) || compare(a.owner ?? '', b.owner ?? ''));
}

type Versions = { readonly branch: Branch; readonly live: LiveProject };

/** The members of the project that have owners, under their live names. What is live counts: the branch may give a model to another. */
export function modelsByName({ branch, live }: Versions, { nameOf, liveNames }: Matching): OwnedModel[] {
  const owned = (models: readonly Model[], name: (node: Node, id: string) => Urn) =>
    models.flatMap(({ id, node, exposure, owners = exposure?.owners ?? [] }) =>
      node && owners.length > 0 ? [{ urn: name(node, id), owners }] : [],
    );
  return [
    ...owned(branch.project.models, (node) => nameOf(urnOf(node))),
    ...live.projects.flatMap(({ models }) => owned(models, (node, id) => liveNames.get(id) ?? urnOf(node))),
  ];
}
