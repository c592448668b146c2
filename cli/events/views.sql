create or replace view people as
with timed as (
  select *,
    -- A leap second, and the small letters that RFC 3339 allows, are read too.
    coalesce(try_cast(replace(upper(timestamp), ':60', ':59') as timestamptz) at time zone 'UTC', received_at) as occurred_at,
    try_cast(sent_at as timestamptz) at time zone 'UTC' as sent
  from events
),
known as (
  select workspace_id, project_id, environment, anonymous_id, min_by(user_id, row(occurred_at, id)) as user_id
  from timed
  where anonymous_id is not null and user_id is not null
  group by workspace_id, project_id, environment, anonymous_id
),
alias as (
  select workspace_id, project_id, environment, anonymous_id as former, user_id as later
  from known
  where anonymous_id <> user_id and (workspace_id, project_id, environment, anonymous_id) in (
    select (workspace_id, project_id, environment, user_id) from timed where user_id is not null
  )
)
select timed.* exclude (sent),
  occurred_at + coalesce(received_at - sent, interval 0 second) as corrected_at,
  coalesce(alias.later, timed.user_id, known.user_id, timed.anonymous_id) as person,
  coalesce(timed.user_id, known.user_id) is not null as is_user
from timed
left join known
  on known.workspace_id = timed.workspace_id and known.project_id = timed.project_id
  and known.environment = timed.environment and known.anonymous_id = timed.anonymous_id
left join alias
  on alias.workspace_id = timed.workspace_id and alias.project_id = timed.project_id
  and alias.environment = timed.environment and alias.former = coalesce(timed.user_id, known.user_id, timed.anonymous_id);

create or replace view sessions as
with marked as (
  select *,
    case when date_diff('millisecond', lag(occurred_at) over visits, occurred_at) < 1800000 then 0 else 1 end as starts
  from people
  where person is not null
  window visits as (partition by workspace_id, project_id, environment, person order by occurred_at, id)
),
numbered as (
  select *,
    sum(starts) over (
      partition by workspace_id, project_id, environment, person order by occurred_at, id rows unbounded preceding
    ) as session
  from marked
)
select workspace_id, project_id, environment, person, session,
  min(occurred_at) as started_at,
  max(occurred_at) as ended_at,
  count(*) as events,
  count(*) filter (where type = 'page') as pages
from numbered
group by workspace_id, project_id, environment, person, session;

create or replace view events_by_day as
select workspace_id, project_id, environment,
  cast(occurred_at as date) as day,
  coalesce(event, '$' || type) as event,
  count(*) as events,
  count(distinct person) as persons
from people
group by all;
