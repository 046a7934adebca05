import type { Node } from '../1-parse/node.ts'
import { AssignmentExpression, BinaryExpression, UnaryExpression, UpdateExpression } from './assignments.ts'
import { CallExpression, ImportExpression, NewExpression, TaggedTemplateExpression } from './calls.ts'
import { ChainExpression } from './chains.ts'
import { ClassExpression, FunctionExpression } from './closures.ts'
import { FunctionDeclaration, ReturnStatement, YieldExpression } from './functions.ts'
import { ArrayExpression, ClassDeclaration, JSXExpressionContainer, JSXSpreadAttribute, Literal, ObjectExpression, Property, SpreadElement, TemplateLiteral } from './literals.ts'
import { WhileStatement } from './loops.ts'
import { MemberExpression } from './members.ts'
import { ClassBody } from './privates.ts'
import type { Rewriting } from './rewriting.ts'
import {
  AwaitExpression, BlockStatement, CatchClause, ExportNamedDeclaration, ExpressionStatement, ForInStatement, ForOfStatement, ForStatement, LabeledStatement,
  nothing, StaticBlock, SwitchStatement, TSModuleDeclaration, VariableDeclaration, VariableDeclarator, WithStatement,
} from './statements.ts'
import { Identifier } from './variables.ts'

/** What is done with each type of node; for all others, the same is done with their children. */
export const visitors: Record<string, ((node: Node, r: Rewriting) => void) | undefined> = {
  ArrayExpression,
  ArrowFunctionExpression: FunctionExpression,
  AssignmentExpression,
  AwaitExpression,
  BinaryExpression,
  BlockStatement,
  BreakStatement: nothing,
  CallExpression,
  CatchClause,
  ChainExpression,
  ClassBody,
  ClassDeclaration,
  ClassExpression,
  ContinueStatement: nothing,
  DoWhileStatement: WhileStatement,
  ExportAllDeclaration: nothing,
  ExportNamedDeclaration,
  ExpressionStatement,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  FunctionDeclaration,
  FunctionExpression,
  Identifier,
  ImportDeclaration: nothing,
  ImportExpression,
  LabeledStatement,
  MemberExpression,
  MetaProperty: nothing,
  MethodDefinition: Keyed,
  NewExpression,
  ObjectExpression,
  Property,
  PropertyDefinition: Keyed,
  AccessorProperty: Keyed,
  ReturnStatement,
  SpreadElement,
  StaticBlock,
  SwitchStatement,
  TaggedTemplateExpression,
  TemplateLiteral,
  Literal,
  JSXExpressionContainer,
  JSXSpreadAttribute,
  TSEnumDeclaration: nothing,
  TSExportAssignment: nothing,
  TSImportEqualsDeclaration: nothing,
  TSModuleDeclaration,
  UnaryExpression,
  UpdateExpression,
  VariableDeclaration,
  VariableDeclarator,
  WhileStatement,
  WithStatement,
  YieldExpression,
}

/** Members of classes: only a computed key is an expression. */
function Keyed(node: Node, r: Rewriting): void {
  if (node.declare) return
  if (node.computed) r.visit(node.key)
  if (node.type === 'MethodDefinition') r.visit(node.value)
  else r.withoutTemporaries(() => r.visit(node.value))
}
