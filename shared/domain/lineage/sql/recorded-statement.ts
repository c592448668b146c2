import { expressionTexts } from './expression-text.ts';
import { scopeWithin } from './name-scope.ts';
import { type ParsedStatement, parsedScript } from './parse-script.ts';
import { recorderFor } from './recorder.ts';
import { columnsSoFar, type Session } from './session.ts';
import type { Syntax } from './syntax.ts';
import type { SqlParser } from './types.ts';

/** The recorder for a statement, and the scope with the results of earlier statements. */
export function recordsFor(session: Session, { text }: ParsedStatement) {
  const options = { ...session.options, columnsOf: columnsSoFar(session) };
  const records = recorderFor(options, session.budget, {
    expressionOf: expressionTexts(text, options),
    embedded: (literal) => embeddedQuery(session.parser, literal),
  });
  const isBody = session.frames !== null;
  const around = { ...scopeWithin(null, session.temporaries), sources: [...session.records.values()], isBody };
  const outer = isBody || session.records.size > 0 ? around : null;
  return { records, scope: { ...scopeWithin(outer, session.temporaries), parameters: session.variables } };
}

/** The text of a query in another dialect, which the statement does not name. */
function embeddedQuery(parser: SqlParser, text: string): Syntax | null {
  const parsed = parsedScript(parser, text, 'ansi');
  if (!parsed.ok || parsed.statements.length !== 1) return null;
  return parsed.statements[0]?.node ?? null;
}
