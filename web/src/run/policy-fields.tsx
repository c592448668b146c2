import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { scopeGlobs } from '../../../shared/contract/glob.ts';
import { statementKinds } from '../../../shared/contract/vocabulary.ts';
import { overviewQuery, type Policy } from '../api/queries.ts';
import { Checklist, Choice, TextField } from '../parts/fields.tsx';
import { splitList } from '../parts/split-list.ts';
import { useWorkspace } from '../shell/world.ts';
import { texts } from '../texts.ts';

type Rule = Policy['filters']['provider_rules'][number];
type PolicyRulesProps = { readonly rules: readonly Rule[]; readonly change: (rules: Rule[]) => void };

const PolicyRules = ({ rules, change }: PolicyRulesProps) => (
  <fieldset className="stack">
    <legend>{texts.policy.providerRules}</legend>
    {rules.map((rule, index) => (
      <RuleFields
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name, and are changed in place.
        key={index}
        rule={rule}
        replace={(next) => change(rules.with(index, next))}
        remove={() => change(rules.toSpliced(index, 1))}
      />
    ))}
    <button type="button" onClick={() => change([...rules, { provider_type: '', action: 'exclude' }])}>
      {texts.policy.addRule}
    </button>
  </fieldset>
);

type RuleFieldsProps = {
  readonly rule: Rule;
  readonly replace: (rule: Rule) => void;
  readonly remove: () => void;
};

const actions = { exclude: 'exclude', include: 'include' };

const RuleFields = ({ rule, replace, remove }: RuleFieldsProps) => (
  <div className="field-row">
    <TextField
      label={texts.policy.ruleType}
      required
      value={rule.provider_type}
      onChange={({ target }) => replace({ ...rule, provider_type: target.value })}
    />
    <Choice
      label={texts.policy.ruleAction}
      value={rule.action}
      options={actions}
      choose={(action) => replace(withAction(rule, action))}
    />
    <TextField
      label={texts.policy.ruleEngines}
      defaultValue={(rule.engines ?? []).join(', ')}
      onChange={({ target }) => replace(withEngines(rule, splitList(target.value, ',')))}
    />
    <button type="button" onClick={remove}>
      {texts.policy.removeRule}
    </button>
  </div>
);

/** A rule that excludes has no schema scope. */
function withAction(rule: Rule, action: Rule['action']): Rule {
  if (action === 'include') return { ...rule, action };
  const { schema_scope: _, ...others } = { schema_scope: undefined, ...rule };
  return { ...others, action };
}

/** A rule without engines is one for all of them. */
function withEngines({ engines: _, ...rule }: Rule, engines: string[]): Rule {
  return engines.length > 0 ? { ...rule, engines } : rule;
}

type Filters = Policy['filters'];
type PolicyFieldsProps = {
  readonly connector: string;
  readonly filters: Filters;
  readonly change: (filters: Filters) => void;
};

export const PolicyFields = ({ connector, filters, change }: PolicyFieldsProps) => (
  <>
    <SchemaPatterns
      connector={connector}
      label={texts.policy.schemaInclude}
      value={filters.schema_scope.include}
      change={(include) => change({ ...filters, schema_scope: { ...filters.schema_scope, include } })}
    />
    <SchemaPatterns
      connector={connector}
      label={texts.policy.schemaExclude}
      value={filters.schema_scope.exclude}
      change={(exclude) => change({ ...filters, schema_scope: { ...filters.schema_scope, exclude } })}
    />
    <PrincipalFields principals={filters.principals} change={(principals) => change({ ...filters, principals })} />
    <Checklist
      title={texts.policy.statementKinds}
      options={statementKinds}
      checked={filters.statement_kinds}
      change={(statement_kinds) => change({ ...filters, statement_kinds })}
    />
    <PolicyRules rules={filters.provider_rules} change={(provider_rules) => change({ ...filters, provider_rules })} />
  </>
);

const mostOffered = 5;

/** Patterns of schemas; of one that means none of the connector, those it may mean are offered. */
function SchemaPatterns({ connector, label, value, change }: PatternsProps & { readonly connector: string }) {
  const workspace = useWorkspace();
  const { data } = useQuery({ ...overviewQuery(workspace?.id ?? '', connector), enabled: value.length > 0 });
  const [generation, setGeneration] = useState(0);
  const schemas = [...new Set(data?.schemas.map(({ schema }) => schema))];
  const empty =
    data && !data.truncated ? value.filter((pattern) => !schemas.some((schema) => isWithin(pattern, schema))) : [];
  const replace = (pattern: string, schema: string) => {
    change(value.map((one) => (one === pattern ? schema : one)));
    setGeneration(generation + 1);
  };
  return (
    <>
      <Patterns key={generation} label={label} value={value} change={change} takesFocus={generation > 0} />
      {empty.map((pattern) => (
        <p key={pattern} role="status">
          {texts.policy.noSchema(pattern, schemas.length)}{' '}
          {nearest(pattern, schemas).map((schema) => (
            <button key={schema} type="button" onClick={() => replace(pattern, schema)}>
              {schema}
            </button>
          ))}
        </p>
      ))}
    </>
  );
}

/** A pattern means a schema, or relations of it. */
const isWithin = (pattern: string, schema: string): boolean =>
  scopeGlobs(pattern.includes('.') ? [pattern, pattern.slice(0, pattern.lastIndexOf('.'))] : [pattern])(schema);

/** The schemas with most of a pattern's words; without any, the first. */
function nearest(pattern: string, schemas: readonly string[]): readonly string[] {
  const words = pattern
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter(Boolean);
  const shared = (schema: string) => words.filter((word) => schema.toLowerCase().includes(word)).length;
  return schemas.toSorted((a, b) => shared(b) - shared(a)).slice(0, mostOffered);
}

type Principals = Filters['principals'];
type PrincipalFieldsProps = { readonly principals: Principals; readonly change: (principals: Principals) => void };

const PrincipalFields = ({ principals, change }: PrincipalFieldsProps) => (
  <>
    <Patterns
      label={texts.policy.principals}
      value={principals.patterns}
      change={(patterns) => change({ ...principals, patterns })}
    />
    <div className="field-row">
      <Choice
        label={texts.policy.principalMode}
        value={principals.mode}
        options={texts.policy.modes}
        choose={(mode) => change({ ...principals, mode })}
      />
      <Choice
        label={texts.policy.unmatched}
        value={principals.unmatched}
        options={texts.policy.unmatchedModes}
        choose={(unmatched) => change({ ...principals, unmatched })}
      />
    </div>
  </>
);

type PatternsProps = {
  readonly label: string;
  readonly value: readonly string[];
  readonly change: (patterns: string[]) => void;
  /** Whether it replaces a field that had the focus, or a button beside it. */
  readonly takesFocus?: boolean;
};

/** One pattern a line; empty lines count for nothing. */
const Patterns = ({ label, value, change, takesFocus }: PatternsProps) => (
  <label>
    {label}
    <textarea
      // biome-ignore lint/a11y/noAutofocus: the button that had the focus is gone.
      autoFocus={takesFocus}
      rows={Math.max(2, value.length + 1)}
      defaultValue={value.join('\n')}
      onChange={({ target }) => change(splitList(target.value, '\n'))}
    />
  </label>
);
