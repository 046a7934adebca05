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
export const schema = [
  'create table t (id int primary key, v int not null)',
  'create table u (id int primary key auto_increment, name int unique, v int default 0)',
  'create table c (id int primary key, t_id int, foreign key (t_id) references t (id))',
]
export const reset = ['set foreign_key_checks = 0', 'truncate t', 'truncate u', 'truncate c', 'insert into t values (1, 10), (2, 20)', 'insert into c values (1, 1)']

/** What is in them at the end. */
export const contents = ['select * from t order by id', 'select * from u order by id', 'select * from c order by id']

const templates: readonly (readonly [text: string, ...values: ('key' | 'number' | 'last')[]])[] = [
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

/** A random program: two connections, or three with less to do. */
export function generate(seed: number): Program {
  const random = new Random(seed)
  const connections = random.below(4) === 0 ? 3 : 2
  const most = connections === 3 ? 2 : 3
  return Array.from({ length: connections }, () => {
    const level = random.one<Level | undefined>(['read committed', 'repeatable read', 'repeatable read', 'serializable', undefined])
    return { level, steps: Array.from({ length: 1 + random.below(most) }, () => randomStep(random)) }
  })
}

function randomStep(random: Random): Step {
  const [text, ...kinds] = random.one(templates)
  return { text, values: kinds.map((kind) => (kind === 'key' ? 1 + random.below(3) : kind === 'number' ? 5 * random.below(4) : '$last')) }
}

/** How a statement ended, as text: rows, or how many were changed, and the number of the new one. */
export const answerText = (result: any): string => JSON.stringify(Array.isArray(result) ? result : [result.affectedRows, result.insertId])

export function print(program: Program): string {
  return program.map(({ level, steps }) => `${level ?? 'autocommit'}: ${steps.map(({ text, values }) => `${text} ${JSON.stringify(values)}`).join('; ')}`).join('\n')
}
