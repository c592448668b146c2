/** Shapes of SQL that could make a parser or the analysis slow: each repeats a part until a text has this many characters. */
export type HostileShape = { readonly name: string; readonly text: (characters: number) => string };

type Part = (place: number) => string;

const repeated = (head: string, part: string | Part, tail = '', close = ''): HostileShape['text'] => {
  return (characters) => {
    const room = characters - head.length - tail.length;
    if (typeof part === 'string') {
      const count = Math.max(1, Math.floor(room / (part.length + close.length)));
      return head + part.repeat(count) + tail + close.repeat(count);
    }
    const parts: string[] = [];
    for (let length = 0, place = 0; length < room; place++) {
      const next = part(place);
      parts.push(next);
      length += next.length;
    }
    return head + parts.join('') + tail;
  };
};

/** By name: what comes first, what is repeated, what comes last, and what closes each repeated part. */
const shapes: Readonly<Record<string, HostileShape['text']>> = {
  'distinct dollar tags': repeated('SELECT ', (i) => `$a${i}$ `),
  'distinct dollar tags, closed': repeated('SELECT ', (i) => `$a${i}$x$a${i}$,`, '1'),
  'distinct dollar tags beyond ASCII': repeated('SELECT ', (i) => `$ä${i}$ `),
  'distinct dollar tags with spaces': repeated('SELECT ', (i) => `$a ${i}$ `),
  'distinct dollar tags with dots': repeated('SELECT ', (i) => `$a.${i}$ `),
  'the same dollar tag': repeated('SELECT ', '$a$ '),
  'empty dollar tags': repeated('SELECT ', '$$ '),
  dollars: repeated('SELECT ', '$'),
  'dollars apart': repeated('SELECT ', '$ '),
  'dollar words': repeated('SELECT ', '$a '),
  'dollar words without spaces': repeated('SELECT ', '$a'),
  'a long dollar tag': repeated('SELECT $', 'a', '$'),
  'dollar numbers': repeated('SELECT ', (i) => `$${i},`, '1'),
  'named parameters': repeated('SELECT ', (i) => `:p${i},`, '1'),
  'at parameters': repeated('SELECT ', (i) => `@p${i},`, '1'),
  'question marks': repeated('SELECT ', '?,', '1'),
  'question marks without commas': repeated('SELECT ', '?'),
  'brace parameters': repeated('SELECT ', (i) => `{p${i}:Int8},`, '1'),
  'template braces': repeated('SELECT ', '{{ a }} '),
  'template tags': repeated('SELECT 1 ', '{% if a %} '),
  'open template braces': repeated('SELECT ', '{{'),
  'round brackets': repeated('SELECT ', '(', '1', ')'),
  'open round brackets': repeated('SELECT ', '('),
  'closing round brackets': repeated('SELECT 1', ')'),
  'square brackets': repeated('SELECT ', '[', '1', ']'),
  'open square brackets': repeated('SELECT a', '['),
  'curly brackets': repeated('SELECT ', "{'a':", '1', '}'),
  'open curly brackets': repeated('SELECT ', '{'),
  'empty brackets': repeated('SELECT ', '()'),
  'subqueries in FROM': repeated('', 'SELECT * FROM (', 'SELECT 1', ') t'),
  'open subqueries in FROM': repeated('', 'SELECT * FROM ('),
  'scalar subqueries': repeated('SELECT ', '(SELECT ', '1', ')'),
  'tables in brackets': repeated('SELECT * FROM ', '(', 't', ')'),
  'joins in brackets': repeated('SELECT * FROM ', '(a JOIN ', 'b', ' ON 1)'),
  'CTEs that join themselves': repeated(
    'WITH c0 AS (SELECT a, b FROM t)',
    (i) => `, c${i + 1} AS (SELECT x.a, y.b FROM c${i} x JOIN c${i} y ON x.a = y.a)`,
    ' SELECT a, b FROM c0',
  ),
  'CTEs that join themselves, all read': repeated(
    'WITH c0 AS (SELECT a, b FROM t)',
    (i) => `, c${i + 1} AS (SELECT x.a + y.b AS a, x.b FROM c${i} x JOIN c${i} y ON x.a = y.a)`,
    ' SELECT * FROM c9',
  ),
  'open EXISTS': repeated('SELECT 1 WHERE ', 'EXISTS (SELECT 1 WHERE '),
  'nested IN': repeated('SELECT 1 WHERE ', 'a IN (SELECT a FROM t WHERE ', '1=1', ')'),
  'nested CASE': repeated('SELECT ', 'CASE WHEN a THEN ', '1', ' END'),
  'open CASE': repeated('SELECT ', 'CASE WHEN a THEN '),
  'nested CASE of operands': repeated('SELECT ', 'CASE ', '1', ' WHEN 1 THEN 1 END'),
  'nested CAST': repeated('SELECT ', 'CAST(', '1', ' AS INT)'),
  'nested types': repeated('SELECT CAST(a AS ', 'ARRAY<', 'INT', '>'),
  'nested struct types': repeated('SELECT CAST(a AS ', 'STRUCT<a ', 'INT', '>'),
  'nested functions': repeated('SELECT ', 'f(', '1', ')'),
  'open functions': repeated('SELECT ', 'f('),
  'unary minus': repeated('SELECT ', '- ', '1'),
  'unary plus': repeated('SELECT ', '+', '1'),
  NOT: repeated('SELECT 1 WHERE ', 'NOT ', 'a'),
  'bitwise not': repeated('SELECT ', '~', '1'),
  plus: repeated('SELECT 1', '+1'),
  minus: repeated('SELECT 1', '- 1'),
  times: repeated('SELECT 1', '*1'),
  AND: repeated('SELECT 1 WHERE a', ' AND a'),
  OR: repeated('SELECT 1 WHERE a', ' OR a'),
  'AND and OR': repeated('SELECT 1 WHERE a', ' AND b OR a'),
  comparisons: repeated('SELECT 1', '=1'),
  concatenation: repeated("SELECT 'a'", "||'a'"),
  casts: repeated('SELECT a', '::int'),
  indexes: repeated('SELECT a', '[0]'),
  'dotted names': repeated('SELECT a', '.a'),
  'doubled dots': repeated('SELECT * FROM a', '..a'),
  arrows: repeated('SELECT a', "->'a'"),
  lambdas: repeated('SELECT f(', 'x -> ', '1)'),
  BETWEEN: repeated('SELECT 1 WHERE a', ' BETWEEN 1 AND a'),
  'IS NULL': repeated('SELECT a', ' IS NULL'),
  LIKE: repeated('SELECT a', ' LIKE a'),
  COLLATE: repeated('SELECT a', ' COLLATE b'),
  INTERVAL: repeated('SELECT ', 'INTERVAL '),
  DISTINCT: repeated('SELECT ', 'DISTINCT '),
  SELECT: repeated('', 'SELECT '),
  FROM: repeated('SELECT 1 ', 'FROM '),
  WITH: repeated('', 'WITH '),
  'nested WITH': repeated('', 'WITH a AS (', 'SELECT 1', ') SELECT * FROM a'),
  'common tables': repeated('WITH a AS (SELECT 1)', (i) => `,a${i} AS (SELECT * FROM a)`, ' SELECT 1'),
  UNION: repeated('SELECT 1', ' UNION SELECT 1'),
  'UNION ALL': repeated('SELECT 1', ' UNION ALL SELECT 1'),
  'bracketed UNION': repeated('', '(SELECT 1 UNION ', 'SELECT 1', ')'),
  EXCEPT: repeated('SELECT 1', ' EXCEPT SELECT 1'),
  joins: repeated('SELECT * FROM t', (i) => ` JOIN t${i} ON a=b`),
  'joins without ON': repeated('SELECT * FROM t', ' JOIN t'),
  'comma joins': repeated('SELECT * FROM t', ',t'),
  'JOIN words': repeated('SELECT * FROM t ', 'JOIN '),
  'lateral views': repeated('SELECT * FROM t', ' LATERAL VIEW explode(a) b AS c'),
  columns: repeated('SELECT a', ',a'),
  'columns under their own names': repeated('SELECT ', (i) => `a${i} AS a${i},`, '1 FROM t'),
  'columns of a subquery': repeated('SELECT a', ',a', ' FROM (SELECT 1 b) s, (SELECT 1 a) t'),
  'common tables with their own': repeated(
    'WITH a AS (SELECT 1)',
    (i) => `,a${i} AS (WITH b AS (SELECT 1) SELECT * FROM b)`,
    ' SELECT 1',
  ),
  'recursive common tables': repeated(
    'WITH RECURSIVE a AS (SELECT 1)',
    (i) => `,a${i} AS (SELECT * FROM a${i})`,
    ' SELECT 1',
  ),
  'long IN list': repeated('SELECT 1 WHERE a IN (1', ',1', ')'),
  VALUES: repeated('INSERT INTO t VALUES (1)', ',(1)'),
  semicolons: repeated('SELECT 1', ';'),
  statements: repeated('', 'SELECT 1;'),
  'half statements': repeated('', 'SELECT a FROM ;'),
  'statements of CREATE': repeated('', (i) => `CREATE TABLE t${i} AS SELECT 1 a;`),
  'nested comments': repeated('SELECT 1 ', '/*', '', '*/'),
  'open comments': repeated('SELECT 1 ', '/*'),
  comments: repeated('SELECT 1 ', '/* a */'),
  'line comments': repeated('SELECT 1 ', '--a\n'),
  hints: repeated('SELECT ', '/*+ a */', '1'),
  quotes: repeated('SELECT ', "'"),
  'quotes apart': repeated('SELECT ', "' "),
  'double quotes': repeated('SELECT ', '"'),
  backticks: repeated('SELECT ', '`'),
  backslashes: repeated("SELECT '", '\\'),
  'adjacent strings': repeated('SELECT ', "'a' "),
  'prefixed strings': repeated('SELECT ', "N'a',", '1'),
  'raw strings': repeated('SELECT ', "r'", "'"),
  'q quotes': repeated('SELECT ', "q'[a "),
  'triple quotes': repeated('SELECT ', '"""'),
  'a long word': repeated('SELECT ', 'a'),
  'a long number': repeated('SELECT ', '1'),
  exponents: repeated('SELECT ', '1e'),
  'decimal points': repeated('SELECT 1', '.'),
  spaces: repeated('SELECT', ' ', '1'),
  'line breaks': repeated('SELECT', '\n', '1'),
  'letters beyond ASCII': repeated('SELECT ', 'ä,', '1'),
  'characters beyond the BMP': repeated("SELECT '", '😀', "'"),
  'words without an operator': repeated('SELECT ', 'a '),
  backquoted: repeated('SELECT ', '`a`,', '1'),
  'CASE of many branches': repeated('SELECT CASE', ' WHEN a THEN 1', ' END'),
  'windows of OVER': repeated('SELECT a', ' OVER (', '', ')'),
  'window definitions': repeated('SELECT 1 FROM t WINDOW w AS ()', (i) => `,w${i} AS (w)`),
  'GROUP BY': repeated('SELECT a FROM t GROUP BY a', ',a'),
  'ORDER BY words': repeated('SELECT a FROM t ', 'ORDER BY '),
  'grouping sets': repeated('SELECT 1 FROM t GROUP BY ', 'GROUPING SETS (', '', ')'),
  PIVOT: repeated('SELECT * FROM t', ' PIVOT (sum(a) FOR b IN (1))'),
  'pipe operators': repeated('FROM t', ' |> WHERE a'),
  'AS words': repeated('SELECT a ', 'AS '),
  stars: repeated('SELECT *', ',*', ' FROM t'),
  'stars in EXCEPT': repeated('SELECT * EXCEPT (a', ',a', ') FROM t'),
  'ALTER TABLE': repeated('ALTER TABLE t ADD a INT', ',ADD a INT'),
  'columns of CREATE': repeated('CREATE TABLE t (a INT', ',a INT', ')'),
  GRANT: repeated('GRANT SELECT', ',SELECT', ' ON t TO u'),
  'branches of MERGE': repeated('MERGE INTO t USING s ON t.a=s.a', ' WHEN MATCHED THEN DELETE'),
  'ternary operators': repeated('SELECT ', 'a ? ', '1', ' : 1'),
  BEGIN: repeated('', 'BEGIN ', '', ' END'),
  IF: repeated('', 'IF a THEN ', '', ' END IF;'),
  'jinja of a macro': repeated('SELECT 1 ', '@macro('),
  'at signs': repeated('SELECT ', '@'),
  hashes: repeated('SELECT ', '#'),
  colons: repeated('SELECT a', ':a'),
};

/** Another version of a text, which differs in a word in its middle. */
export function changedInMiddle(text: string): string {
  const middle = Math.floor(text.length / 2);
  const at = text.slice(middle).search(/[1a](?!\w)/);
  return at < 0 ? `${text} x` : `${text.slice(0, middle + at)}22${text.slice(middle + at + 1)}`;
}

export const hostileShapes: readonly HostileShape[] = Object.entries(shapes).map(([name, text]) => ({ name, text }));
