import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { own, project, run, type Run } from './project.ts'

/** Libraries that many projects use, each in a version of its own, installed as they are. */
const versions: Readonly<Record<string, string>> = {
  // Stores, and what data is made with.
  '@reduxjs/toolkit': '2.14.0', 'immer': '11.2.10', 'jotai': '2.20.3', 'lodash': '4.18.1', 'mobx': '7.1.3', 'nanostores': '1.5.5', 'pinia': '4.1.0', 'valtio': '2.3.2', 'vue': '3.5.45', 'xstate': '5.33.3', 'zustand': '5.1.0',
  // Caches.
  '@tanstack/query-core': '5.108.0', 'cache-manager': '7.2.9', 'dataloader': '2.2.3', 'keyv': '5.6.0', 'lru-cache': '11.5.3', 'memoizee': '0.4.17', 'mnemonist': '0.40.8', 'node-cache': '5.1.2', 'quick-lru': '7.3.0', 'tiny-lru': '13.1.0',
  // Queues and locks.
  'async': '3.2.6', 'async-lock': '1.5.0', 'async-mutex': '0.5.0', 'bottleneck': '2.19.5', 'effect': '4.1.0', 'eventemitter3': '5.0.4', 'fastq': '1.20.3', 'opossum': '9.0.0', 'p-limit': '7.3.3', 'p-queue': '9.3.5', 'rxjs': '7.8.2',
  // A native add-on.
  'bcrypt': '6.0.0',
  // Servers and their clients.
  'axios': '1.21.1', 'express': '5.3.0', 'fastify': '5.12.8', 'hono': '4.13.19', 'ioredis': '6.0.0', 'koa': '3.3.0',
}

/** What components are tested with; `react-dom` and the environments stay as they are. */
const tools: Readonly<Record<string, string>> = {
  'axios-mock-adapter': '2.1.0', 'react': '19.3.1', 'react-dom': '19.3.1', '@testing-library/dom': '10.4.2', '@testing-library/react': '16.3.3', '@testing-library/user-event': '14.6.13', '@vue/test-utils': '2.6.0', 'happy-dom': '21.0.4', 'jsdom': '29.1.1',
}

/** By what a test is called: what its verdict says was seen. */
const seen: readonly (readonly [name: string, packageName: string])[] = [
  // What a driver of a database does for what it is asked is nobody's.
  ...Object.keys(versions).filter((name) => name !== 'ioredis').map((name) => [name, name === 'vue' ? '@vue/reactivity' : name] as const),
  ['express from beforeAll', 'express'],
  ['bcrypt by callback', 'bcrypt'],
  ...['an adapter', 'an adapter that is a mock', 'axios-mock-adapter'].map((name) => [`axios with ${name}`, 'axios'] as const),
  ['vue component', '@vue/runtime-core'],
  ...['typing', 'two clicks'].map((name) => [`user-event, ${name}`, '@testing-library/user-event'] as const),
  ['react in jsdom', 'react'],
  ['react in happy-dom', 'react'],
]

const specs = path.join(import.meta.dirname, 'libraries')

describe('libraries, with no option set', () => {
  let result: Run
  beforeAll(async () => {
    const folder = project('libraries', {
      'package.json': JSON.stringify({ private: true, type: 'module', dependencies: { ...versions, ...tools, ...own() } }),
      ...Object.fromEntries(readdirSync(specs).map((name) => [name, readFileSync(path.join(specs, name), 'utf8')])),
    })
    execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, shell: process.platform === 'win32', stdio: 'pipe' })
    result = await run(folder)
  }, 300_000)

  test('ioredis: a race in its use is found', () => {
    expect(result.test('ioredis, with a race')).toMatchObject({ status: 'failed' })
    expect(result.test('ioredis, without')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test.each(seen)('%s: a race in its use is found, and its internals are seen where there is none', (name, packageName) => {
    expect(result.test(`${name}, with a race`)).toMatchObject({ status: 'failed', dpor: { verdict: 'fails' } })
    const { status, message, dpor } = result.test(`${name}, without`)
    expect({ status, message, dpor }).toMatchObject({ status: 'passed', message: '', dpor: { verdict: 'holds', packages: expect.arrayContaining([packageName]) } })
  })

  test('user-event: what is under way has come when a call is over', () => {
    expect(result.test('user-event, what is under way has come when a call is over')).toMatchObject({ status: 'passed', dpor: { verdict: 'holds' } })
  })

  test.each(['react in jsdom', 'react in happy-dom'])('%s: a race of a state is told by the name that it has in the component, in the line of its setter', (name) => {
    const message = result.test(`${name}, with a race`).message.replaceAll(/\s+/g, ' ')
    expect(message).toContain('Last write wins on shown (set by show): search#1 wrote "result of a" over the "result of b" of search#2.')
    expect(message).toMatch(/search\.tsx:23 write shown = "result of b"/)
  })
})
