import { Toolbar, ToolbarItem } from '@ariakit/react';
import { claimSentence, limitLines } from '../../../shared/contract/claim-words.ts';
import { nameOf, schemaOf } from '../../../shared/contract/layers.ts';
import type { Impact } from '../api/queries.ts';
import { useLayerOf } from '../parts/layer.tsx';
import { LeavesOut, Skeleton } from '../parts/leaves-out.tsx';
import { useScopeName } from '../parts/provider-names.ts';
import { written } from '../parts/time.tsx';
import { texts } from '../texts.ts';
import type { Address, Change } from './address.ts';
import type { Row, Shown } from './answer.ts';
import type { Picture } from './groups.ts';

type SummaryProps = {
  readonly shown: Shown;
  readonly address: Address;
  readonly change: Change;
  readonly picture: Picture;
  /** Whether the answer is the one that the address asks for, not the last one. */
  readonly isCurrent: boolean;
};

/** The claim of an answer with its limits, and the schemas that it reaches. */
export function Summary({ shown, address, change, picture, isCurrent }: SummaryProps) {
  const [main] = shown.answers;
  const others = shown.rows.filter(({ isAsked }) => !isAsked).length;
  const scopeName = useScopeName();
  return (
    <>
      <div
        className="summary"
        data-breaks={main?.claim.kind === 'breaks' && address.column.length > 0 && address.direction !== 'upstream'}
      >
        <p className="summary-main" role="status">
          {isCurrent && main ? <Sentence answer={main} address={address} /> : <Skeleton />}
          {others > 0 && <span className="dim"> {texts.lineage.beside(others)}</span>}
        </p>
        <Schemas shown={shown} address={address} change={change} />
      </div>
      {isCurrent && main && (
        <LeavesOut claim={main.claim} others={leftOut(shown, picture, scopeName)} reach={reachOf(main)}>
          {main.truncated.by_depth && address.depth !== null && (
            <button type="button" onClick={() => change({ depth: null })}>
              {texts.leavesOut.toTheEnd}
            </button>
          )}
        </LeavesOut>
      )}
    </>
  );
}

/** The claim in its own words (C-CLAIM-5), after the question that it answers. */
const Sentence = ({ answer, address }: { readonly answer: Impact; readonly address: Address }) => (
  <>
    {questionOf(address) && <span className="dim">{questionOf(address)} </span>}
    <b>{claimSentence(answer.claim)}</b>
    {address.direction === 'both' && answer.upstream.length > 0 && (
      <span className="dim"> {texts.lineage.summary.upstream(answer.upstream.length, answer.truncated.any)}</span>
    )}
  </>
);

const questionOf = ({ column, direction }: Address): string =>
  direction === 'upstream' ? '' : texts.lineage.summary.ifChanges(column);

/** The question and the claim, as they leave the page. */
export const sentenceOf = ({ root, answers: [main] }: Shown, address: Address): string =>
  main === undefined ? '' : [`${root}:`, questionOf(address), claimSentence(main.claim)].filter(Boolean).join(' ');

/** The limits of the claim, as they leave the page. */
export const limitsOf = ({ answers: [main] }: Shown): readonly string[] => (main ? limitLines(main.claim) : []);

function reachOf({ blast_radius, claim }: Impact): string {
  const { max_depth_reached: steps } = blast_radius;
  return [
    steps > 0 && texts.leavesOut.reach(steps),
    claim.evidence_until && texts.leavesOut.until(written(claim.evidence_until)),
  ]
    .filter(Boolean)
    .join(' ');
}

function Schemas({ shown, address, change }: Omit<SummaryProps, 'picture' | 'isCurrent'>) {
  const layerOf = useLayerOf();
  const { rows } = shown.all;
  const exposures = shown.answers[0]?.exposures ?? [];
  return (
    <div className="chips-row">
      {rows.length > 0 && (
        <Toolbar
          className="chips"
          aria-label={texts.lineage.summary.schemas}
          title={texts.lineage.summary.byDepth(depthsOf(rows))}
        >
          {schemasOf(rows).map(([schema, [first, ...others]]) => (
            <ToolbarItem
              key={schema}
              aria-pressed={schema === address.schema}
              data-layer={layerOf(first?.relation ?? '', first?.connector)}
              onClick={() => change({ schema: schema === address.schema ? null : schema })}
            >
              {nameOf(schema) || schema} <b>{others.length + 1}</b>
            </ToolbarItem>
          ))}
        </Toolbar>
      )}
      {exposures.length > 0 && (
        <ul className="plain chips">
          {exposures.map(({ tool, owner, relation_refs }) => (
            <li key={`${tool} ${owner}`} data-layer="exposures" title={relation_refs.join('\n')}>
              {texts.lineage.summary.exposures(tool, owner)} <b>{relation_refs.length}</b>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** How much is shown, and who states it. */
export function Sources({ shown: { rows } }: Pick<SummaryProps, 'shown'>) {
  if (rows.length === 0) return null;
  return (
    <p className="sources">
      <span>{texts.relations(new Set(rows.map(({ relation }) => relation)).size + 1)}</span>
      <span>{texts.lineage.saidBy(sourcesOf(rows))}</span>
    </p>
  );
}

/** How many relations are at each distance, from one step on. */
function depthsOf(rows: readonly Row[]): number[] {
  const farthest = rows.reduce((most, { depth }) => Math.max(most, depth), 0);
  return Array.from({ length: farthest }, (_, index) => rows.filter(({ depth }) => depth === index + 1).length);
}

const schemasShown = 4;

const schemasOf = (rows: readonly Row[]) =>
  [...Map.groupBy(rows, ({ relation }) => schemaOf(relation))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, schemasShown);

const sourcesOf = (rows: readonly Row[]): string[] =>
  [
    ...Map.groupBy(
      rows.flatMap(({ sources }) => sources),
      (source) => source.replaceAll('_', ' '),
    ),
  ]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([source, statement]) => `${source} (${statement.length})`);

/** What the page leaves out beside the limits of the claim. */
function leftOut(shown: Shown, picture: Picture, scopeName: (key: string) => string): string[] {
  const grouped = picture.groups.reduce((sum, { members }) => sum + members.length, 0);
  const filtered = shown.all.edges.length - shown.edges.length;
  const [main] = shown.answers;
  return [
    ...(main ? scopesInPart(main).map((key) => texts.leavesOut.scope(scopeName(key))) : []),
    ...(filtered > 0 ? [texts.lineage.edges.filtered(filtered)] : []),
    ...(shown.hidden > 0 ? [texts.leavesOut.hidden(shown.hidden)] : []),
    ...(grouped > 0 ? [texts.leavesOut.grouped(grouped)] : []),
  ];
}

/** Sources without a complete snapshot, which the limits of a claim do not name. */
const scopesInPart = ({ coverage: { scopes } }: Impact): string[] =>
  scopes
    .filter(({ last_complete_snapshot_at }) => last_complete_snapshot_at === null)
    .map(({ scope_key }) => scope_key);
