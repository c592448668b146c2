import { headlineOf } from '../../shared/contract/claim-words.ts';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { diffReport } from '../../shared/domain/lineage/report/diff-report.ts';

/** A comparison as Markdown, for a comment on a pull request. Names of the data are no markup in it. */
export const diffMarkdown = (diff: LineageDiff): string =>
  diffReport(diff, { heading: `### Lineage\n\n**${headlineOf(diff)}**` });
