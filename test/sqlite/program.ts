import { Random } from '../reference/random.ts'

/** A statement with its values, of which `$last` is the number that the task has read last and `$next` one more; `exec`: as it is, by `exec`. */
export interface Ask {
  readonly text: string
  readonly values: readonly unknown[]
  readonly by: 'run' | 'get' | 'all' | 'exec'
}

/** What is asked before the next `await`: by itself, or in a transaction. */
export interface Step {
  readonly asks: readonly Ask[]
  readonly isTransaction: boolean
}

/** Two or three tasks; `connections`: by task, which of the connections to one file it has. One of them alone may be to a database in memory. */
export interface Program {
  readonly tasks: readonly (readonly Step[])[]
  readonly connections: readonly number[]
}

export const start = `
  create table t (id integer primary key, n int);
  create table u (id integer primary key, name text unique, n int default 0);
  create table parent (id integer primary key, n int);
  create table child (id integer primary key, parent int references parent (id) on delete cascade);
  create table log (text text);
  create table watched (id int primary key, n int);
  create trigger watches after update on watched begin insert into log values (old.n || '>' || new.n); end;
  create view sums as select sum(n) as n from t;
  insert into t values (1, 10), (2, 20);
  insert into u values (1, 'a', 0);
  insert into parent values (1, 0), (2, 0);
  insert into child values (1, 1);
  insert into watched values (1, 1), (2, 2);
  create table marks (n int, name text);
  create unique index once on marks (name) where n > 0;
  insert into marks values (0, 'x'), (0, 'x');
`

/** All that there is. */
export const contents = ['t', 'u', 'parent', 'child', 'log', 'watched', 'marks'].map((name) => `select * from ${name}`)

type Template = readonly [by: Ask['by'], text: string, ...values: unknown[]]

const usual: readonly Template[] = [
  ['get', 'select n from t where id = ?', 'id'], ['get', 'select n from t where id = ?', 'id'], ['all', 'select * from t'], ['all', 'select n from t where n > 15 order by id'], ['get', 'select count(*) as n from t'], ['get', 'SELECT "t"."n" FROM "t" WHERE "t"."id" = ?', 'id'],
  ['run', 'update t set n = ? where id = ?', '$next', 'id'], ['run', 'update t set n = ? where id = ?', '$next', 'id'], ['run', 'update t set n = n + 1 where id = ?', 'id'], ['run', 'update T set N = n * 2 where ID = ?', 'id'], ['run', 'update t set n = n + 1 where n > 15'],
  ['run', 'update t set ID = ? where id = ?', 'new', 'id'], ['run', 'insert into t values (?, ?)', 'new', '$last'], ['run', 'insert into t (n) values (?)', '$last'], ['run', 'insert or ignore into t values (?, 1)', 'id'], ['get', 'insert into t (id, n) values (?, 5) on conflict (id) do update set n = n + 5 returning n', 'id'],
  ['run', 'delete from t where id = ?', 'id'], ['run', 'delete from t where n > 15'], ['get', 'update t set n = n + 3 where id in (?, ?) returning id, n', 'id', 'id'], ['get', 'select n from sums'], ['get', 'select last_insert_rowid() as n'], ['get', 'select changes() as n'],
  ['run', 'insert into u (name) values (?)', 'name'], ['run', 'update u set name = ? where id = 1', 'name'], ['get', 'select n from u where name = ?', 'name'], ['run', 'update u set n = n + 1 where id = 1'],
  ['run', 'insert into child (id, parent) values (?, ?)', 'new', 'id'], ['run', 'delete from parent where id = ?', 'id'], ['all', 'select * from child'], ['run', 'update parent set n = 1 where id = ?', 'id'],
  ['run', 'update watched set n = n + 1 where id = ?', 'id'], ['all', 'select text from log'], ['all', 'select rowid, n from watched'], ['get', 'select n from watched where id = ?', 'id'],
  ['run', "update marks set n = 1 where rowid = ?", 'id'], ['get', 'select max(n) as n from marks'],
  ['exec', "update t set n = 0 where id = 1; insert into log values ('x')"], ['exec', 'update t set n = n + 1 where id = 2'],
]

/** Transactions that are open over several steps, and tables that come and go. */
const further: readonly Template[] = [
  ['exec', 'begin'], ['exec', 'begin'], ['exec', 'begin immediate'], ['exec', 'commit'], ['exec', 'commit'], ['exec', 'rollback'], ['exec', 'savepoint s'], ['exec', 'rollback to s'], ['exec', 'release s'],
  ['exec', 'create table if not exists more (id integer primary key, n int)'], ['exec', 'drop table if exists more'], ['run', 'insert into more (n) values (1)'], ['get', 'select count(*) as n from more'], ['exec', 'alter table log rename to logs'], ['exec', 'pragma user_version = 3'], ['get', 'pragma user_version'],
  ['exec', 'create temp table if not exists t (id integer primary key, n int)'], ['exec', 'create trigger if not exists counts after insert on t begin update parent set n = n + 1; end'],
]

export const generateFurther = (seed: number): Program => generate(seed, [...usual, ...further])

export function generate(seed: number, of: readonly Template[] = usual): Program {
  const random = new Random(seed)
  const isLarge = random.below(4) === 0
  const most = isLarge ? 2 : 4
  // Most are about few tables, which they race for.
  const few = random.below(2) === 0 ? of : Array.from({ length: 5 }, () => pick(random, of))
  const tasks = Array.from({ length: isLarge ? 3 : 2 }, () => Array.from({ length: 1 + random.below(most) }, () => randomStep(random, few)))
  const areTwo = random.below(3) === 0
  return { tasks, connections: tasks.map(() => (areTwo ? random.below(2) : 0)) }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!

function randomStep(random: Random, of: readonly Template[]): Step {
  const isTransaction = random.below(5) === 0
  const asks = Array.from({ length: isTransaction || random.below(5) === 0 ? 2 : 1 }, () => randomAsk(random, of)).filter(({ by }) => !isTransaction || by !== 'exec')
  return { asks, isTransaction }
}

function randomAsk(random: Random, of: readonly Template[]): Ask {
  const [by, text, ...values] = pick(random, of)
  return { by, text, values: values.map((value) => (value === 'id' ? 1 + random.below(3) : value === 'new' ? 2 + random.below(3) : value === 'name' ? pick(random, ['a', 'b']) : value)) }
}

export const print = ({ tasks, connections }: Program): string => tasks.map((steps, i) => `${connections[i]}: ${steps.map(({ asks, isTransaction }) => `${isTransaction ? 'transaction ' : ''}${asks.map(({ by, text, values }) => `${by} ${text}${values.length > 0 ? ` ${JSON.stringify(values)}` : ''}`).join(' + ')}`).join(' | ')}`).join('\n')
