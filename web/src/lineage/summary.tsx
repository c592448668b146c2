import { Toolbar, ToolbarItem } from '@ariakit/react';
import { useId } from 'react';
import { claimSentence, limitLines } from '../../../shared/contract/claim-words.ts';
import { nameOf, schemaOf } from '../../../shared/contract/layers.ts';
import type { Impact } from '../api/queries.ts';
import { useLayerOf } from '../parts/layer.tsx';
import { texts } from '../texts.ts';
import { type Address, type Change, mostDepth } from './address.ts';
import { type Row, type Shown, type Side, sides } from './answer.ts';
import type { Picture } from './groups.ts';

type SummaryProps = { readonly shown: Shown; readonly address: Address; readonly change: Change };

/** The answer in a sentence, with the blast radius by distance and schema. */
export function Summary({ shown, address, change }: SummaryProps) {
  const layerOf = useLayerOf();
  const { rows, beside, isWhatIf } = inQuestion(shown, address);
  const exposures = (shown.answers[0]?.exposures ?? []).slice(0, ownersShown);
  return (
    <div className="summary" data-breaks={isWhatIf && rows.length > 0}>
      <p className="summary-main" role="status">
        <Verdict text={sentenceOf(shown, address)} />
        {beside > 0 && <span className="dim"> {texts.lineage.beside(beside)}</span>}
      </p>
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
        <ul className="chips">
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

/** The first number of a sentence stands out. */
function Verdict({ text }: { readonly text: string }) {
  const words = text.split(' ');
  const isCounted = Number.isInteger(Number(words[0]?.replaceAll(',', '')));
  return (
    <>
      {isCounted && <b>{words.slice(0, 2).join(' ')}</b>} {words.slice(isCounted ? 2 : 0).join(' ')}
    </>
  );
}

/** The rows that the sentence counts: of columns, only what they may break. Others are beside them. */
function inQuestion({ all: { rows: all } }: Shown, { column, direction }: Address) {
  const isWhatIf = column.length > 0 && direction !== 'upstream';
  const asked = isWhatIf ? all.filter(({ isAsked }) => isAsked) : all;
  const rows = isWhatIf ? asked.filter((row) => row.direction === 'downstream') : asked;
  return { isWhatIf, rows, beside: all.length - asked.length };
}

/** What breaks if columns change (C-CLAIM-5); else how many relations there are. */
export function sentenceOf(shown: Shown, address: Address): string {
  const { rows, isWhatIf } = inQuestion(shown, address);
  if (isWhatIf) {
    const [answer] = shown.answers;
    return answer ? claimSentence(answer.claim) : '';
  }
  const { direction } = address;
  const count = (side: Side) => rows.filter((row) => row.direction === side).length;
  return sides
    .filter((side) => direction === side || direction === 'both')
    .map((side) => texts.lineage.summary[side](count(side)))
    .join(', ');
}

/** How many relations are at each distance, from one step on. */
function depthsOf(rows: readonly Row[]): number[] {
  const farthest = rows.reduce((most, { depth }) => Math.max(most, depth), 0);
  return Array.from({ length: farthest }, (_, index) => rows.filter(({ depth }) => depth === index + 1).length);
}

const [schemasShown, ownersShown] = [4, 4];

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

type LeavesOutProps = Pick<SummaryProps, 'shown' | 'change'> & { readonly picture: Picture };

/** What an answer leaves out, in words, beside the answer. */
export function LeavesOut({ shown, picture, change }: LeavesOutProps) {
  const id = useId();
  const [main] = shown.answers;
  const next = main?.truncated.by_depth && main.limits.max_depth < mostDepth ? main.limits.max_depth + 1 : null;
  const omissions = leftOut(shown, picture);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is one line, which the focus opens.
    <section className="leaves-out" aria-labelledby={id} data-quiet={omissions.length === 0} tabIndex={0}>
      <h2 id={id}>{texts.leavesOut.title}</h2>
      {omissions.length === 0 ? (
        <p>{texts.leavesOut.nothing}</p>
      ) : (
        <ul>
          {omissions.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {next !== null && (
            <li>
              <button type="button" onClick={() => change({ depth: next })}>
                {texts.leavesOut.deeper(next)}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function leftOut(shown: Shown, picture: Picture): string[] {
  const grouped = picture.groups.reduce((sum, { members }) => sum + members.length, 0);
  const filtered = shown.all.edges.length - shown.edges.length;
  const [main] = shown.answers;
  return [
    ...(main ? [...limitLines(main.claim), ...scopesInPart(main)] : []),
    ...(filtered > 0 ? [texts.lineage.edges.filtered(filtered)] : []),
    ...(shown.hidden > 0 ? [texts.leavesOut.hidden(shown.hidden)] : []),
    ...(grouped > 0 ? [texts.leavesOut.grouped(grouped)] : []),
  ];
}

/** Sources without a complete snapshot, which the limits of a claim do not name. */
const scopesInPart = ({ coverage: { scopes } }: Impact): string[] =>
  scopes
    .filter(({ last_complete_snapshot_at }) => last_complete_snapshot_at === null)
    .map(({ scope_key }) => texts.leavesOut.scope(scope_key));
