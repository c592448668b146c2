import type { EdgeExplanation, ExplainedEvidence } from '../../../contract/explain.ts';
import { firstCarried } from '../answer-size.ts';

type Answer = Omit<EdgeExplanation, 'cost'>;

/** How many columns and places of a piece of evidence are listed. */
const columnsListed = [1_000, 100, 10, 0];

/** The explanation as far as a reply can carry it: columns are left out first, then statements, then evidence (C-EXPLAIN-3). */
export const cutExplanation = (answer: Answer): Answer => firstCarried(answer, smallerAnswers(answer));

function* smallerAnswers(answer: Answer): Generator<Answer> {
  for (const most of columnsListed) yield cut(answer, (one) => withColumns(one, most));
  const bare = cut(answer, (one) => ({ ...withColumns(one, 0), sql: null }));
  for (let most = bare.evidence.length; most >= 1; most = Math.floor(most / 2))
    yield { ...bare, evidence: bare.evidence.slice(0, most) };
}

const cut = (answer: Answer, of: (one: ExplainedEvidence) => ExplainedEvidence): Answer => ({
  ...answer,
  evidence: answer.evidence.map(of),
  truncated: true,
});

const withColumns = (one: ExplainedEvidence, most: number): ExplainedEvidence => ({
  ...one,
  said_by: one.said_by.slice(0, Math.max(most, 1)),
  columns: one.columns.slice(0, most),
  columns_unresolved: one.columns_unresolved.slice(0, most),
});
