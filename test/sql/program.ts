import { Random } from '../reference/random.ts'

export type Level = 'read committed' | 'repeatable read' | 'serializable'

/** One statement; `$last` among its values is what the connection has read last. */
export interface Step {
  readonly text: string
  readonly values: readonly (number | '$last')[]
}

/** What one connection does: in a transaction of a level, or each statement by itself. */
export interface Script {
  readonly level: Level | undefined
  readonly steps: readonly Step[]
}

export type Program = readonly Script[]

/** The tables, and what is in them at the start. */
export const schema = `create table t (id int primary key, v int not null);
create table u (id serial primary key, name int unique, v int default 0);
create table c (id int primary key, t_id int references t (id));`
export const reset = 'truncate t, u, c restart identity; insert into t values (1, 10), (2, 20); insert into c values (1, 1)'

/** What is in them at the end. */
export const contents = "select (select json_agg(t order by id) from t) as t, (select json_agg(u order by id) from u) as u, (select json_agg(c order by id) from c) as c"

const templates: readonly (readonly [text: string, ...values: ('key' | 'number' | 'last')[]])[] = [
  ['select v from t where id = $1', 'key'],
  ['select v from t where id = $1', 'key'],
  ['select sum(v)::int as v from t'],
  ['select count(*)::int as v from t where v > $1', 'number'],
  ['select id, v from t order by id'],
  ['select id, v from t'],
  ['select v from t where id in ($1, $2) order by id', 'key', 'key'],
  ['select v from t where id = $1 for update', 'key'],
  ['select v from t where v > $1 order by id for update', 'number'],
  ['select v from t where id = $1 for share', 'key'],
  ['update t set v = v + 1 where id = $1', 'key'],
  ['update t set v = $2 where id = $1', 'key', 'last'],
  ['update t set v = $2 + 1 where id = $1', 'key', 'last'],
  ['update t set v = v + 5 where v > $1', 'number'],
  ['update t set v = (select coalesce(max(v), 0) from t) where id = $1 returning v', 'key'],
  ['insert into t (id, v) values ($1, $2)', 'key', 'number'],
  ['insert into t (id, v) values ($1, $2) on conflict (id) do update set v = t.v + excluded.v returning v', 'key', 'number'],
  ['insert into t (id, v) values ($1, $2) on conflict do nothing', 'key', 'number'],
  ['insert into u (name) values ($1) returning id as v', 'number'],
  ['select count(*)::int as v from u'],
  ['update u set v = v + 1 where name = $1', 'number'],
  ['insert into c (id, t_id) values ($1, $2)', 'key', 'key'],
  ['select count(*)::int as v from c join t on t.id = c.t_id'],
  ['delete from t where id = $1', 'key'],
  ['delete from c where id = $1', 'key'],
  ['with old as (delete from c where id = $1 returning t_id) select t_id as v from old', 'key'],
]

/** A random program: two connections, or three with less to do. */
export function generate(seed: number): Program {
  const random = new Random(seed)
  const connections = random.below(4) === 0 ? 3 : 2
  const most = connections === 3 ? 2 : 3
  return Array.from({ length: connections }, () => {
    const level = random.one<Level | undefined>(['read committed', 'read committed', 'repeatable read', 'serializable', undefined])
    return { level, steps: Array.from({ length: 1 + random.below(most) }, () => randomStep(random)) }
  })
}

function randomStep(random: Random): Step {
  const [text, ...kinds] = random.one(templates)
  return { text, values: kinds.map((kind) => (kind === 'key' ? 1 + random.below(3) : kind === 'number' ? 5 * random.below(4) : '$last')) }
}

/** How a statement ended, as text: rows, or the code of an error. */
export const answerText = ({ rows, rowCount }: { rows: readonly object[]; rowCount: number | null }): string => JSON.stringify(rows.length > 0 ? rows : rowCount)

export function print(program: Program): string {
  return program.map(({ level, steps }) => `${level ?? 'autocommit'}: ${steps.map(({ text, values }) => `${text} ${JSON.stringify(values)}`).join('; ')}`).join('\n')
}
