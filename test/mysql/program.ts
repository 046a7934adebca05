import { randomProgram, type Level, type Program, type Template } from '../servers/scripts.ts'

/** The tables, and what is in them at the start. */
export const schema = [
  'create table t (id int primary key, v int not null)',
  'create table u (id int primary key auto_increment, name int unique, v int default 0)',
  'create table c (id int primary key, t_id int, foreign key (t_id) references t (id))',
  'create table e (id int primary key, n int auto_increment, key (n))',
]
export const reset = ['set foreign_key_checks = 0', 'truncate t', 'truncate u', 'truncate c', 'truncate e', 'insert into t values (1, 10), (2, 20)', 'insert into c values (1, 1)']

/** What is in them at the end. */
export const contents = ['select * from t order by id', 'select * from u order by id', 'select * from c order by id', 'select * from e order by id']

const templates: readonly Template[] = [
  ['select v from t where id = ?', 'key'],
  ['select v from t where id = ?', 'key'],
  ['select cast(sum(v) as signed) as v from t'],
  ['select count(*) as v from t where v > ?', 'number'],
  ['select id, v from t order by id'],
  ['select id, v from t'],
  ['select v from t where id in (?, ?) order by id', 'key', 'key'],
  ['select v from t where id = ? for update', 'key'],
  ['select v from t where v > ? order by id for update', 'number'],
  ['select v from t where id = ? lock in share mode', 'key'],
  ['update t set v = v + 1 where id = ?', 'key'],
  ['update t set v = ? where id = ?', 'last', 'key'],
  ['update t set v = ? + 1 where id = ?', 'last', 'key'],
  ['update t set v = v + 5 where v > ?', 'number'],
  ['insert into t (id, v) values (?, ?)', 'key', 'number'],
  ['insert into t (id, v) values (?, ?) on duplicate key update v = v + 7', 'key', 'number'],
  ['insert ignore into t (id, v) values (?, ?)', 'key', 'number'],
  ['replace into t (id, v) values (?, ?)', 'key', 'number'],
  ['insert into u (name) values (?)', 'number'],
  ['select count(*) as v from u'],
  ['update u set v = v + 1 where name = ?', 'number'],
  ['insert into c (id, t_id) values (?, ?)', 'key', 'key'],
  ['select count(*) as v from c join t on t.id = c.t_id'],
  ['delete from t where id = ?', 'key'],
  ['delete from c where id = ?', 'key'],
]

const levels: readonly (Level | undefined)[] = ['read committed', 'repeatable read', 'repeatable read', 'serializable', undefined]

export const generate = (seed: number): Program => randomProgram(seed, { levels, templates })

/** What goes back in part, waits for nobody, or changes keys. */
const further: readonly Template[] = [
  ['savepoint a'],
  ['rollback to savepoint a'],
  ['release savepoint a'],
  ['select v from t where id = ? for update skip locked', 'key'],
  ['select v from t order by id limit 1 for update skip locked'],
  ['select v from t where id = ? for update nowait', 'key'],
  ['select v from t where id = ? lock in share mode nowait', 'key'],
  ['update t set v = v - 5 where id = ? and v >= 5', 'key'],
  ['update t set v = 0 order by id desc limit 1'],
  ['update u set name = ? where id = ?', 'number', 'key'],
  ['insert into u (name) values (?) on duplicate key update v = v + 1', 'number'],
  ['insert into c (id, t_id) select id + 5, id from t where id = ?', 'key'],
  ['delete from t where v > ?', 'number'],
  ['delete from u where name = ?', 'number'],
  ['insert into t values (?, ?)', 'key', 'number'],
  ['insert into u values (0, ?, ?)', 'number', 'number'],
  ['insert into e values (?, null)', 'key'],
  ['insert into e values (?, 0)', 'key'],
  ['insert into e (id) values (?)', 'key'],
  ['insert into e values (?, ?)', 'key', 'number'],
]

/** Of more kinds. */
export const generateFurther = (seed: number): Program => randomProgram(seed, { levels, templates: [...templates, ...further, ...further] })

/** How a statement ended, as text: rows, or how many were changed, and the number of the new one. */
export const answerText = (result: any): string => JSON.stringify(Array.isArray(result) ? result : [result.affectedRows, result.insertId])
