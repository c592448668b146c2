import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import { dialects } from './dialects.ts';

/** A statement with places for two names of columns, `{a}` and `{b}`, and the dialects that have its functions. */
export type Form = { readonly text: string; readonly dialects: readonly SqlDialect[] };

/** Words that mean something in SQL, and that at least some dialects allow as names of columns without quotes. */
export const keywords: readonly string[] =
  `millennium century decade year years yy yyyy isoyear quarter quarters qq qtr month months mm mon week weeks ww wk
  isoweek weekday dayofweek dow isodow dayofyear doy day days dd dy hour hours hh minute minutes mi second seconds ss
  millisecond ms microsecond us nanosecond ns epoch timezone_hour timezone y q m d w h s n date time timestamp datetime
  value type status name key kind level row rows range groups position count first last filter over window start begin
  offset zone at data format text string boolean json map struct rank index number no only ordinality percent preceding
  following unbounded current excluded inserted deleted target source matched columns column view sequence schema
  database catalog temp temporary recursive sample pivot unpivot role owner session system uuid id currency seq nextval
  rand now pi replace left right mod log exp min max sum avg hash comment version state action options option domain
  language locale method mode model object path plan policy prior procedure public rename result return rule scale scope
  search section share simple size sql statement storage tag task template ties transaction trigger trim truncate usage
  variable virtual without work write xml overlaps within cluster sort distribute positional ignore respect nulls char
  varchar int integer bigint float double decimal numeric real bit bytes national precision dec list interval`.split(
    /\s+/,
  );

const everywhere = (texts: readonly string[]): Form[] => texts.map((text) => ({ text, dialects }));
const forms = (names: string, texts: readonly string[]): Form[] => {
  const target = new Set(names.split(' '));
  return texts.map((text) => ({ text, dialects: dialects.filter((dialect) => target.has(dialect)) }));
};

/** Every place of a query that can hold a column. */
export const plainForms: readonly Form[] = everywhere([
  'select {a} as o from t',
  'select {a}, t.{b} as o2 from t',
  'select x.{a} as o from t as x',
  'select z as {a}, t.{a} as o from t',
  'select {a} as {a} from t',
  'select upper({a}) as o, coalesce({a}, {b}) as o2 from t',
  'select -{a} as o, ({a}) as o2, {b} || {a} as o3 from t',
  'select cast({a} as varchar(10)) as o from t',
  'select case when {a} > 1 then {b} end as o, case {b} when {a} then 1 else 2 end as o2 from t',
  'select sum({a}) as o, count(distinct {b}) as o2 from t',
  'select max({a}) over (partition by {b}) as o, lag({a}) over (order by {b} desc) as o2 from t',
  'select row_number() over (partition by {a} order by {b}) as o from t',
  'select {a} between {b} and 3 as o, {b} is null as o2, {a} = {b} as o3, not {a} as o4 from t',
  "select case when {a} in ('x', 'y') and {b} not in (1) then 1 when {a} like 'z' then 2 end as o from t",
  "select coalesce({a}::varchar, 'x') as o, {b} % 2 as o2, z as o3 from t where {a} not like 'y' or {b} in (1, 2)",
  'select o from (select {a} as o from t) w1',
  'with w1 as (select {a}, {b} from t) select {a} as o, w1.{b} as o2 from w1',
  'select (select max(u.k) from u where u.k = t.{a}) as o, {b} as o2 from t',
  'select z as o from t where {a} > {b}',
  'select z as o from t order by {a}, {b} desc',
  'select z as o from t join u on t.{a} = u.k and t.{b} = 1',
  'select {a}, max({b}) as o from t group by {a} having max({b}) > 1',
  'select distinct {a}, {b} as o2 from t',
  'select {a} as o from t union all select {b} from t',
  'insert into w (p, q) select {a}, {b} from t',
  'select year({a}) as o, month({b}) as o2, day({a}) as o3, hour({b}) as o4 from t',
  'select minute({a}) as o, second({b}) as o2, quarter({a}) as o3, date({b}) as o4 from t',
  'select extract(day from {a}) as o, extract(year from {b}) as o2 from t',
]);

const trinos = 'trino presto athena';
const strings = `duckdb postgres redshift snowflake spark databricks clickhouse ${trinos}`;

/** The functions that take a date part, in the dialects that have them. */
export const datePartForms: readonly Form[] = [
  ...forms(strings, ["select date_trunc('day', {b}) as o, date_trunc('week', {a}) as week from t"]),
  ...forms('duckdb postgres redshift snowflake spark databricks', ["select date_part('week', {a}) as o from t"]),
  ...forms('duckdb', [
    "select datetrunc('month', {a}) as o, datepart('year', {b}) as o2 from t",
    "select date_diff('day', {a}, {b}) as o, datediff('week', {b}, {a}) as o2 from t",
    "select date_sub('day', {a}, {b}) as o, datesub('day', {a}, {b}) as o2 from t",
    "select time_bucket(interval '1 day', {a}) as o, last_day({b}) as o2 from t",
    'select date_trunc({a}, {b}) as o, datediff({a}, {b}, z) as o2 from t',
  ]),
  ...forms('postgres', [
    "select date_bin('15 minutes', {a}, {b}) as o from t",
    'select date_trunc({a}, {b}) as o, date_part({b}, {a}) as o2, trunc({a}, {b}) as o3 from t',
  ]),
  ...forms(trinos, [
    "select date_add('day', {a}, {b}) as o, date_diff('hour', {a}, {b}) as o2 from t",
    'select date_trunc({a}, {b}) as o, date_diff({a}, {b}, z) as o2 from t',
  ]),
  ...forms('snowflake', [
    "select datediff('day', {a}, {b}) as o, dateadd('day', {a}, {b}) as o2, timediff(hour, {a}, {b}) as o3 from t",
    'select datediff(day, {a}, {b}) as o, dateadd(week, {a}, {b}) as o2, timestampadd(month, {a}, {b}) as o3 from t',
    'select date_trunc(month, {a}) as o, date_part(year, {b}) as o2, last_day({a}, month) as o3 from t',
    "select trunc({a}, 'month') as o, trunc({a}, {b}) as o2, time_slice({a}, 3, 'month') as o3 from t",
    "select next_day({a}, {b}) as o, add_months({a}, {b}) as o2, last_day({b}, 'month') as o3 from t",
  ]),
  ...forms('redshift', [
    'select datediff(day, {a}, {b}) as o, dateadd(week, {a}, {b}) as o2, date_part(month, {a}) as o3 from t',
    "select datediff('day', {a}, {b}) as o, dateadd('week', {a}, {b}) as o2 from t",
  ]),
  ...forms('tsql fabric', [
    'select datediff(day, {a}, {b}) as o, dateadd(wk, {a}, {b}) as o2, datediff_big(s, {a}, {b}) as o3 from t',
    'select datepart(month, {a}) as o, datename(weekday, {b}) as o2, datetrunc(week, {a}) as o3 from t',
    'select date_bucket(week, {a}, {b}) as o, eomonth({a}, {b}) as o2 from t',
  ]),
  ...forms('bigquery', [
    'select date_trunc({a}, month) as o, timestamp_trunc({a}, day, {b}) as o2, datetime_trunc({b}, week) as o3 from t',
    "select date_diff({a}, {b}, week(monday)) as o, timestamp_trunc({a}, hour, 'UTC') as o2 from t",
    'select date_diff({a}, {b}, day) as o, timestamp_diff({a}, {b}, hour) as o2, time_diff({a}, {b}, hour) as o3 from t',
    'select last_day({a}, month) as o, time_trunc({b}, hour) as o2, extract(week(monday) from {a}) as o3 from t',
    'select date_add({a}, interval {b} day) as o, date_sub({a}, interval 1 month) as o2 from t',
    'select generate_date_array({a}, {b}, interval 1 month) as o from t',
  ]),
  ...forms('spark databricks', [
    'select datediff({a}, {b}) as o, date_add({a}, {b}) as o2, date_diff({a}, {b}) as o3 from t',
    'select datediff(day, {a}, {b}) as o, dateadd(week, {a}, {b}) as o2, timestampdiff(hour, {a}, {b}) as o3 from t',
    "select trunc({a}, 'MM') as o, next_day({b}, 'mo') as o2, date_format({a}, 'y') as o3, last_day({b}) as o4 from t",
    'select date_trunc({a}, {b}) as o, trunc({a}, {b}) as o2, date_part({a}, {b}) as o3 from t',
  ]),
  ...forms('hive', [
    "select extract({a}, 'day') as o, trunc({b}, 'MM') as o2, datediff({a}, {b}) as o3, date_add({a}, {b}) as o4 from t",
  ]),
  ...forms('mysql', [
    'select timestampdiff(month, {a}, {b}) as o, timestampadd(day, {a}, {b}) as o2, datediff({a}, {b}) as o3 from t',
    'select date_add({a}, interval {b} day) as o, date_sub({a}, interval 1 day) as o2, last_day({b}) as o3 from t',
  ]),
  ...forms('clickhouse', [
    "select dateDiff('day', {a}, {b}) as o, date_diff(day, {a}, {b}) as o2, date_add(day, {a}, {b}) as o3 from t",
    'select toStartOfMonth({a}) as o, addDays({a}, {b}) as o2, date_sub(week, {a}, {b}) as o3 from t',
  ]),
  ...forms('oracle', [
    "select trunc({a}, 'MM') as o, add_months({a}, {b}) as o2, months_between({a}, {b}) as o3, next_day({b}, 'MON') as o4 from t",
  ]),
  ...forms(`duckdb postgres ${trinos} oracle ansi`, [
    "select {a} + interval '1' day as o, {b} - interval '2' month as o2 from t",
  ]),
  ...forms('duckdb postgres', [
    "select g as o from t, generate_series({a}, {b}, interval '1 day') as s(g)",
    "select {a} at time zone 'UTC' as o, timezone({a}, {b}) as o2 from t",
  ]),
  ...forms(trinos, ["select sequence({a}, {b}, interval '1' day) as o from t"]),
];

export const textOf = ({ text }: Form, a: string, b: string): string => text.replaceAll('{a}', a).replaceAll('{b}', b);
