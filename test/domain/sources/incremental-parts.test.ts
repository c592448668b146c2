import { describe, expect, it } from 'vitest';
import {
  incrementalParts,
  withoutIncrementalParts,
} from '../../../shared/domain/lineage/sources/models/incremental-parts.ts';

const template = `select id, at from {{ ref('events') }}
where kind <> 'x'
{%- if is_incremental() %}
  and at > (select max(at) from {{ this }}) {# late ones are lost #}
{% endif %}`;
const rendered = `select id, at from "d"."s"."events"
where kind <> 'x'
  and at > (select max(at)
  from "d"."s"."facts") `;
const cut = (text: string, of = template) => withoutIncrementalParts(text, of, 'duckdb')?.replace(/\s+/g, ' ').trim();

describe('a text that an incremental run rendered (C-DIFF-6)', () => {
  it('is what a full refresh renders without its incremental parts', () => {
    expect(cut(rendered)).toBe(`select id, at from "d"."s"."events" where kind <> 'x'`);
  });

  it('is left alone if it does not have the parts, or if they are not written as the template has them', () => {
    expect(cut(`select id, at from "d"."s"."events" where kind <> 'x'`)).toBeUndefined();
    expect(cut(rendered.replace('max(at)', 'min(at)'))).toBeUndefined();
  });

  it('is left alone if more than the name of the relation decides what a part renders', () => {
    for (const part of ['{% else %} and false', "{{ var('days') }}", '{% if target.name %} and x {% endif %}'])
      expect(cut(rendered, template.replace('{% endif %}', `${part}{% endif %}`)), part).toBeUndefined();
    expect(cut(rendered, `${template} {{ 1 if is_incremental() else 2 }}`)).toBeUndefined();
    expect(cut(rendered, 'select 1')).toBeUndefined();
  });

  it('is left alone if a part is empty, or has no end', () => {
    expect(cut(rendered, template.replace(/and at > .*#}/s, ''))).toBeUndefined();
    expect(cut(rendered, template.replace('{% endif %}', ''))).toBeUndefined();
  });

  it('loses every part of several, in their order', () => {
    const two = `${template}\n{% if is_incremental() %} limit 5 {% endif %}`;
    expect(cut(`${rendered} limit 5`, two)).toBe(`select id, at from "d"."s"."events" where kind <> 'x'`);
    expect(cut(rendered, two)).toBeUndefined();
  });
});

describe('the incremental parts of a template (C-DIFF-6)', () => {
  const nested = (end: string) =>
    `select 1 {% if is_incremental() %} {% if var('x') %} and a {% endif %} and ${end} {% endif %} where z`;

  it('reach to their own end block, behind the blocks within', () => {
    expect(incrementalParts(nested('b'))).not.toEqual(incrementalParts(nested('c')));
    expect(incrementalParts(nested('b'))).toEqual(incrementalParts(nested('b').replace('where z', 'where y')));
  });

  it('keep the words of conditions and values as they are written', () => {
    const other = nested('b').replace("var('x')", "var('x-y')");
    expect(incrementalParts(other)).not.toEqual(incrementalParts(other.replace('x-y', 'xy')));
  });

  it('reach to the end of the template if a variable holds the condition', () => {
    const set = (end: string) => `{% set more = is_incremental() %} {% if more %} and a {% endif %} where ${end}`;
    expect(incrementalParts(set('z'))).not.toEqual(incrementalParts(set('y')));
  });

  it('are the same with other white space and comments', () => {
    expect(incrementalParts(nested(' b {# why #}'))).toEqual(incrementalParts(nested('b')));
  });
});
