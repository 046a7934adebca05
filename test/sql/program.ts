import { Random } from '../reference/random.ts'
import { randomProgram, randomScript, randomStep, type Level, type Program, type Script, type Template } from '../servers/scripts.ts'

/** The tables, and what is in them at the start. */
export const schema = `create table t (id int primary key, v int not null);
create table u (id serial primary key, name int unique, v int default 0);
create table c (id int primary key, t_id int references t (id));
create table d (id int primary key, t_id int references t (id) on delete cascade deferrable initially deferred);
create table e (id int primary key, n serial);`
export const reset = 'truncate t, u, c, d, e restart identity; insert into t values (1, 10), (2, 20); insert into c values (1, 1); insert into d values (1, 2)'

/** What is in them at the end. */
export const contents = "select (select json_agg(t order by id) from t) as t, (select json_agg(u order by id) from u) as u, (select json_agg(c order by id) from c) as c, (select json_agg(d order by id) from d) as d, (select json_agg(e order by id) from e) as e"

const templates: readonly Template[] = [
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

const levels: readonly (Level | undefined)[] = ['read committed', 'read committed', 'repeatable read', 'serializable', undefined]

export const generate = (seed: number): Program => randomProgram(seed, { levels, templates })

/** Of more kinds, whose ends are the same in all orders too often. */
const rarer: readonly Template[] = [
  ['select v from t where id = $1 for no key update', 'key'],
  ['select v from t where id = $1 for key share', 'key'],
  ['select v from t where id = $1 or id = $2 for update', 'key', 'key'],
  ['select v from t where (id, v) = ($1, $2) for update', 'key', 'number'],
  ['select t.v from t, c where t.id = c.t_id and c.id = $1 for update of t', 'key'],
  ['select v from t where id in (select t_id from c where id = $1) for share', 'key'],
  ['select exists (select from c where id = $1)::int as v', 'key'],
  ['select v from t union select v from u order by 1'],
  ['select max(x.v) as v from (select v from t where id = $1) x', 'key'],
  ['with x as (insert into u (name) values ($1) returning id) update t set v = (select id from x) where id = $2', 'number', 'key'],
  ['with x as (select id from t where id = $1 for update) select v from u, x where u.id = x.id', 'key'],
  ['insert into c (id, t_id) select id + 5, id from t where id = $1', 'key'],
  ['insert into u (id, name) values ($1, $2) on conflict (name) do update set v = u.v + 1', 'key', 'number'],
  ['update u set name = $2 where id = $1', 'key', 'number'],
  ['update c set t_id = $2 where id = $1', 'key', 'key'],
  ['update t set v = c.id from c where c.t_id = t.id and c.id = $1', 'key'],
  ['update t set v = case when v > $2 then 0 else v end where id = $1 and v > 5', 'key', 'number'],
  ['delete from c using t where t.id = c.t_id and t.v > $1', 'number'],
  ['delete from u where name in ($1, $2)', 'number', 'number'],
]

/** What waits for nobody, goes back in part, or is checked only at the end; locks of other kinds, and what is no part of a transaction. */
const further: readonly Template[] = [
  ['savepoint a'],
  ['rollback to a'],
  ['release a'],
  ['select v from t where id = $1 for update skip locked', 'key'],
  ['select v from t where v > $1 order by id for update skip locked', 'number'],
  ['select v from t order by id limit 1 for no key update skip locked'],
  ['select v from t where id = $1 for update nowait', 'key'],
  ['select v from t where id = $1 for share nowait', 'key'],
  ['select pg_advisory_xact_lock($1)::text as x', 'key'],
  ['select pg_try_advisory_xact_lock($1)::int as v', 'key'],
  ["select nextval('u_id_seq')::int as v"],
  ["select setval('u_id_seq', $1)::int as v", 'key'],
  ['lock table t in share row exclusive mode'],
  ['lock table c in access exclusive mode nowait'],
  ['insert into d (id, t_id) values ($1, $2)', 'key', 'key'],
  ['select count(*)::int as v from d'],
  ['delete from d where id = $1', 'key'],
  ['update d set t_id = $2 where id = $1', 'key', 'key'],
  ['truncate c'],
  ['merge into t using (select $1::int as id, $2::int as v) x on t.id = x.id when matched then update set v = t.v + x.v when not matched then insert values (x.id, x.v)', 'key', 'number'],
  ['insert into t (id, v) values ($1, $2) on conflict (id) do update set v = excluded.v where t.v > 5 returning v', 'key', 'number'],
  ['insert into u (name) values ($1) on conflict (name) do update set v = u.v + 1 returning v', 'number'],
  ['insert into u (name) values ($1) on conflict do nothing returning id as v', 'number'],
  ['update t set v = v - 5 where id = $1 and v >= 5 returning v', 'key'],
  ['update t set id = $2 where id = $1', 'key', 'key'],
  ['delete from t where id = $1 returning v', 'key'],
  ['insert into t values ($1, $2)', 'key', 'number'],
  ['insert into u values ($1, $2)', 'key', 'number'],
  ['insert into e values ($1) returning n as v', 'key'],
  ['insert into e values ($1, default)', 'key'],
  ['insert into e values (default, $1)', 'key'],
  ['insert into e values ($1, $2)', 'key', 'number'],
]

/** Programs of all kinds. */
export const generateFurther = (seed: number): Program => {
  const random = new Random(seed)
  const connections = random.below(5) === 0 ? 3 : 2
  // Half of the statements are of the kinds that are usual.
  const all = [...templates, ...rarer, ...further, ...further, ...further]
  return Array.from({ length: connections }, () => {
    const script = randomScript(random, connections === 3 ? 1 : 3, { levels, templates: all })
    return script.level && random.below(3) === 0 ? withSavepoint(random, script) : script
  })
}

/** What mostly fails. */
const failing: readonly Template[] = [['insert into t (id, v) values ($1, 0)', 'key'], ['insert into c (id, t_id) values (1, $1)', 'key'], ['select v from t where id = $1 for update nowait', 'key'], ['select 1 / 0']]

/** After one of its statements another may fail, or is taken back, and the rest goes on. */
function withSavepoint(random: Random, { level, steps }: Script): Script {
  const at = 1 + random.below(steps.length)
  const within = randomStep(random, random.below(3) === 0 ? templates : failing)
  return { level, steps: [...steps.slice(0, at), { text: 'savepoint a', values: [] }, within, { text: random.below(4) === 0 ? 'release a' : 'rollback to a', values: [] }, ...steps.slice(at)] }
}

/** A transaction that nobody else is beside. */
export const generateAlone = (seed: number): Script => randomScript(new Random(seed), 4, { levels, templates: [...templates, ...rarer] })

/** How a statement ended, as text: rows, or the code of an error. */
export const answerText = ({ rows, rowCount }: { rows: readonly object[]; rowCount: number | null }): string => JSON.stringify(rows.length > 0 ? rows : rowCount)
