import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueOf, tablesOfDatabase } from '../../src/runtime/drivers/postgres/catalogue.ts'
import { loadParser } from '../../src/runtime/drivers/postgres/parser.ts'
import type { Catalogue } from '../../src/runtime/drivers/sql/catalogue.ts'
import { looksAtItsRowsOnly, ofTransaction, type Footprint } from '../../src/runtime/drivers/sql/footprint.ts'
import { footprintOf } from '../../src/runtime/drivers/sql/statements.ts'
import { missing, startServer, type Client, type Server } from '../explored/uninstrumented/postgres-server.ts'

const parse = await loadParser()

const schema = `create table t (id int primary key, v int);
create table u (id serial primary key, name text unique, v int);
create table c (id text primary key, t_id int references t (id), v int);
create table traced (id int primary key);
create function trace() returns trigger language plpgsql as $$ begin insert into t values (9); return new; end $$;
create trigger trace before insert on traced for each row execute function trace();
create table e (id int primary key, n serial);
create view seen as select * from t;
create schema other; create table other.o (id int primary key); create table other.t (id int primary key)`

const text = (footprint: Footprint): string =>
  footprint.kind === 'tables' ? footprint.accesses.map(({ table, kind, row, inOrder }) => `${kind} ${table}${row === undefined ? '' : ` ${row}`}${inOrder ? ' in order' : ''}`).join(', ') : footprint.kind

describe.skipIf(missing !== undefined || parse === undefined)(`what statements access${missing === undefined ? '' : ` (${missing})`}`, () => {
  let server: Server
  let client: Client
  let catalogue: Catalogue
  beforeAll(async () => {
    server = startServer()
    client = new server.pg.Client(server.config)
    await client.connect()
    await client.query(schema)
    catalogue = catalogueOf((await client.query(tablesOfDatabase)).rows)
  })
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })

  test.each<[statement: string, accesses: string, values?: unknown[]]>([
    ['select v from other.o where id = 1', 'read other.o 1'],
    ['select 1', ''],
    ['select id from u where id = 007', 'read u 7'],
    ['select v from u where u.id = $1 and v > 2', 'read u 5', ['5']],
    ['select v from u as x where 3 = x.id', 'read u 3'],
    ['select "public"."u"."v" from "public"."u" where ("public"."u"."id" = $1 and 1 = 1) limit $2 offset $3', 'read u 5', [5, 1, 0]],
    ['select o.v from other.o as o where other.o.id = 1', 'read other.o in order'],
    ['select v from u where id in (1, 2)', 'read u 1, read u 2'],
    ['select v from u where id = any($1)', 'read u in order', [[1]]],
    ['select v from u where id = 1 or v = 2', 'read u in order'],
    ['select v from u where id = v', 'read u in order'],
    ['select v from u where id = $1', 'read u in order', [1.5]],
    ['select v from u order by id', 'read u'],
    ['select count(*)::int from u', 'read u'],
    ['select array_agg(v) from u', 'read u in order'],
    ["select v from c where id = 'a'", 'read c a'],
    ["select v from c where id = 'abc'::varchar(1)", 'read c in order'],
    ['select v from u where id = 1 for update', 'lock u 1'],
    ['select v from u where v = 1 for share', 'write u'],
    ['select * from u join c on c.v = u.v', 'read u in order, read c in order'],
    ['select * from u join c on c.v = u.v for update of u', 'write u, write c, read u in order, read c in order'],
    ['select v from u where id = 1 and v in (select v from c)', 'read u 1, read c in order'],
    ['with x as (select * from u) select * from x', 'read u in order'],
    ['with x as (delete from c where id = $1 returning *) select * from x', 'write c k', ['k']],
    ['update u set v = v + 1 where id = 1', 'write u 1'],
    ['update u set v = (select max(v) from c) where id = 1', 'write u 1, read c'],
    ["update u set name = 'x' where id = 1", 'write u'],
    ['update u set id = 2 where id = 1', 'write u'],
    ['update u set v = c.v from c where u.id = 1', 'write u, read c in order'],
    ['update c set t_id = 2 where id = $1', 'check t, write c', ['k']],
    ['update t set id = 3 where id = 1', 'everything'],
    ['update t set v = 3 where id = 1', 'everything'],
    ['delete from u where id = 1', 'write u 1'],
    ['delete from other.o', 'write other.o'],
    ['insert into u (name) values (1)', 'write u'],
    ['insert into c values ($1, 1)', 'write c k, check t', ['k']],
    ['insert into c values (default, 1)', 'write c, check t'],
    ['insert into other.o values (7), (8)', 'write other.o 7, write other.o 8'],
    ['insert into e values (1)', 'write e'],
    ['insert into e values (1, 5), (2, default)', 'write e'],
    ['insert into e values (1, 5)', 'write e 1'],
    ['insert into e default values', 'write e'],
    ['insert into c (id, t_id) values ($1, 1)', 'write c k, check t', ['k']],
    ["insert into c (id) values ('a'), (default)", 'write c, check t'],
    ['insert into c (id) values ($1) on conflict (id) do update set v = 1', 'write c k, check t', ['k']],
    ['insert into other.o select id from u', 'write other.o, read u in order'],
    ['insert into traced values (1)', 'everything'],
    ['select * from seen', 'everything'],
    ['select * from nothing', 'everything'],
    ['select * from t', 'everything'],
    ['select pg_advisory_lock(1)', 'everything'],
    ["select nextval('u_id_seq')", 'everything'],
    ['select v into temp x from u', 'everything'],
    ['truncate u', 'everything'],
    ['create table n (id int)', 'everything'],
    ['lock table u', 'everything'],
    ['selec', 'everything'],
    ['select * from information_schema.tables where table_name = $1 and table_schema = current_schema()', 'read information_schema', ['t']],
    ['select column_name from information_schema.columns as c join u on u.name = c.column_name for update of u', 'everything'],
    ['select 1; begin', 'everything'],
    ['begin; select 1', 'everything'],
    ['savepoint a', 'nothing'],
    ['rollback to a', 'ends in part'],
    ['set local lock_timeout = 5', 'nothing'],
    ['set search_path = other', 'everything'],
    ['show all', 'nothing'],
    ['set transaction isolation level serializable', 'level'],
    ['begin isolation level serializable, read only', 'begins'],
    ['commit', 'ends'],
    ['rollback and chain', 'ends'],
  ])('%s', (statement, accesses, values = []) => {
    expect(text(footprintOf(statement, values, { parse: parse!, catalogue }))).toBe(accesses)
  })

  test.each<[statement: string, isAlone: boolean]>([
    ['update u set v = v + 1 where id = 1 and v > 5', true],
    ['select v from u where id = 1 for update', true],
    ['delete from u where id = 1 returning v', true],
    ["insert into c (id, t_id) values ('a', 1)", true],
    ['insert into other.o (id) values (1), (2)', true],
    ['update u set v = v + 1 where v > 5', false],
    ['update u set v = (select max(v) from u) where id = 1', false],
    ['update u set v = v + 1 where id in (1, 2)', false],
    ['insert into u (name) values (1)', false],
    ['select v from u where id = 1', false],
    ['commit', false],
  ])('%s looks at nothing but its rows as they are when it gets to them: %s', (statement, isAlone) => {
    expect(looksAtItsRowsOnly(footprintOf(statement, [], { parse: parse!, catalogue }))).toBe(isAlone)
  })

  test('what a text seems to change that is not understood is known to a reader', () => {
    const statement = 'create function pg_temp.f() returns void as $$ begin insert into "u" (name) values (1); delete from public.c; end $$ language plpgsql; select * from pg_temp.f()'
    expect(footprintOf(statement, [], { parse: parse!, catalogue })).toMatchObject({ kind: 'everything', names: [{ table: 'u', kind: 'write', change: 'insert' }, { table: 'c', kind: 'write', change: 'delete' }] })
  })

  test.each(['begin', ' BEGIN ; ', 'start transaction isolation level repeatable read', 'commit', 'end work', 'rollback', 'abort'])('without the parser %s is known', (statement) => {
    expect(ofTransaction(statement)).toEqual(footprintOf(statement, [], { parse: parse!, catalogue }))
  })

  /** What the server locks while a transaction is open shows which tables a statement has to do with, whatever its text says. */
  test.each([
    'select v from u where id = 1', 'select v from u where id = 1 for update', 'update u set v = 1 where id = 1', "insert into c (id, t_id) values ('z', null)", 'insert into u (name) values (7)', 'delete from u where id = 1',
    'with x as (update u set v = 1 returning *) insert into other.o select id from x', 'select count(*) from u, c', "insert into c (id) values ('z') on conflict do nothing", 'update c set v = (select max(v) from u)',
    'insert into traced values (1)', 'select * from seen',
  ])('the locks of %s are among its accesses', async (statement) => {
    const footprint = footprintOf(statement, [], { parse: parse!, catalogue })
    await client.query('begin')
    await client.query(statement)
    const { rows } = await client.query(`select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname as name, bool_or(l.mode not in ('AccessShareLock', 'RowShareLock')) as changes
      from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace where l.pid = pg_backend_pid() and c.relkind = 'r' and n.nspname <> 'pg_catalog' group by 1`)
    await client.query('rollback')
    if (footprint.kind === 'everything') return
    const accesses = footprint.kind === 'tables' ? footprint.accesses : []
    const unseen = rows.filter(({ name, changes }) => !accesses.some(({ table, kind }) => table === name && (kind === 'write' || !changes)))
    expect(unseen).toEqual([])
    expect(rows.length).toBeGreaterThan(0)
  })
})
