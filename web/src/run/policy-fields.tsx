import { statementKinds } from '../../../shared/contract/vocabulary.ts';
import type { Policy } from '../api/queries.ts';
import { texts } from '../texts.ts';

type Filters = Policy['filters'];
type Rule = Filters['provider_rules'][number];

type PolicyFieldsProps = { readonly filters: Filters; readonly change: (filters: Filters) => void };

/** The filters of a policy as fields. */
export function PolicyFields({ filters, change }: PolicyFieldsProps) {
  const { schema_scope, principals, statement_kinds } = filters;
  return (
    <>
      <Patterns
        label={texts.policy.schemaInclude}
        value={schema_scope.include}
        change={(include) => change({ ...filters, schema_scope: { ...schema_scope, include } })}
      />
      <Patterns
        label={texts.policy.schemaExclude}
        value={schema_scope.exclude}
        change={(exclude) => change({ ...filters, schema_scope: { ...schema_scope, exclude } })}
      />
      <Patterns
        label={texts.policy.principals}
        value={principals.patterns}
        change={(patterns) => change({ ...filters, principals: { ...principals, patterns } })}
      />
      <div className="field-row">
        <Choice
          label={texts.policy.principalMode}
          value={principals.mode}
          options={texts.policy.modes}
          choose={(mode) => change({ ...filters, principals: { ...principals, mode } })}
        />
        <Choice
          label={texts.policy.unmatched}
          value={principals.unmatched}
          options={texts.policy.unmatchedModes}
          choose={(unmatched) => change({ ...filters, principals: { ...principals, unmatched } })}
        />
      </div>
      <fieldset className="field-row">
        <legend>{texts.policy.statementKinds}</legend>
        {statementKinds.map((kind) => (
          <label key={kind} className="check">
            <input
              type="checkbox"
              checked={statement_kinds.includes(kind)}
              onChange={({ target }) =>
                change({
                  ...filters,
                  statement_kinds: target.checked
                    ? [...statement_kinds, kind]
                    : statement_kinds.filter((one) => one !== kind),
                })
              }
            />
            {kind.replaceAll('_', ' ')}
          </label>
        ))}
      </fieldset>
      <Rules rules={filters.provider_rules} change={(provider_rules) => change({ ...filters, provider_rules })} />
    </>
  );
}

type PatternsProps = {
  readonly label: string;
  readonly value: readonly string[];
  readonly change: (patterns: string[]) => void;
};

/** One pattern a line; empty lines count for nothing. */
const Patterns = ({ label, value, change }: PatternsProps) => (
  <label>
    {label}
    <textarea
      rows={Math.max(2, value.length + 1)}
      defaultValue={value.join('\n')}
      onChange={({ target }) =>
        change(
          target.value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== ''),
        )
      }
    />
  </label>
);

type ChoiceProps<Option extends string> = {
  readonly label: string;
  readonly value: Option;
  readonly options: Readonly<Record<Option, string>>;
  readonly choose: (option: Option) => void;
};

function Choice<Option extends string>({ label, value, options, choose }: ChoiceProps<Option>) {
  const names = Object.keys(options) as Option[];
  return (
    <label>
      {label}
      <select value={value} onChange={({ target }) => choose(names.find((name) => name === target.value) ?? value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {options[name]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A rule that excludes has no schema scope. */
function withAction(rule: Rule, action: string): Rule {
  if (action === 'include') return { ...rule, action };
  const { schema_scope: _, ...others } = { schema_scope: undefined, ...rule };
  return { ...others, action: 'exclude' };
}

type RulesProps = { readonly rules: readonly Rule[]; readonly change: (rules: Rule[]) => void };

function Rules({ rules, change }: RulesProps) {
  const replace = (index: number, rule: Rule) => change(rules.map((one, place) => (place === index ? rule : one)));
  return (
    <fieldset className="stack">
      <legend>{texts.policy.providerRules}</legend>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name, and are changed in place.
        <div key={index} className="field-row">
          <label>
            {texts.policy.ruleType}
            <input
              type="text"
              required
              value={rule.provider_type}
              onChange={({ target }) => replace(index, { ...rule, provider_type: target.value })}
            />
          </label>
          <label>
            {texts.policy.ruleAction}
            <select value={rule.action} onChange={({ target }) => replace(index, withAction(rule, target.value))}>
              <option>exclude</option>
              <option>include</option>
            </select>
          </label>
          <label>
            {texts.policy.ruleEngines}
            <input
              type="text"
              defaultValue={(rule.engines ?? []).join(', ')}
              onChange={({ target }) => {
                const engines = target.value
                  .split(',')
                  .map((engine) => engine.trim())
                  .filter((engine) => engine !== '');
                const { engines: _, ...others } = rule;
                replace(index, engines.length > 0 ? { ...others, engines } : others);
              }}
            />
          </label>
          <button type="button" onClick={() => change(rules.filter((_, place) => place !== index))}>
            {texts.policy.removeRule}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...rules, { provider_type: '', action: 'exclude' }])}>
        {texts.policy.addRule}
      </button>
    </fieldset>
  );
}
