//! Tables, which other libraries read without a copy.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyTable;

use trommel::export::columns::Column;

use crate::error::{TrommelError, failed};

/// Columns of the same length, as Arrow has them.
#[pyclass(frozen, module = "trommel._trommel")]
pub(crate) struct Table {
    batch: RecordBatch,
}

impl Table {
    /// Has it no rows?
    pub(crate) fn is_empty(&self) -> bool {
        self.batch.num_rows() == 0
    }

    /// A table of named columns.
    pub(crate) fn new(columns: Vec<Column>) -> PyResult<Table> {
        let field = |(name, column): &Column| {
            Field::new(name, column.data_type().clone(), column.is_nullable())
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let columns = columns.into_iter().map(|(_, column)| column).collect();
        let batch = RecordBatch::try_new(Arc::new(schema), columns).map_err(failed)?;
        Ok(Table { batch })
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let table = PyTable::try_new(vec![self.batch.clone()], self.batch.schema())?;
        let table = Bound::new(py, table)?;
        table.call_method1("__arrow_c_stream__", (requested_schema,))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.batch.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// Their types, as Arrow calls them.
    #[getter]
    fn column_types(&self) -> Vec<String> {
        let schema = self.batch.schema();
        let fields = schema.fields().iter();
        fields.map(|field| field.data_type().to_string()).collect()
    }

    /// Some rows, without a copy: of those that there are.
    fn slice(&self, start: usize, count: usize) -> Table {
        let from = start.min(self.batch.num_rows());
        let count = count.min(self.batch.num_rows() - from);
        let batch = self.batch.slice(from, count);
        Table { batch }
    }

    /// The values of a column.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyKeyError::new_err(name.to_owned());
        let column = self.batch.column_by_name(name).ok_or_else(missing)?;
        match column.data_type() {
            DataType::Utf8 => column
                .as_string::<i32>()
                .iter()
                .collect::<Vec<_>>()
                .into_pyobject(py),
            DataType::Boolean => column
                .as_boolean()
                .iter()
                .collect::<Vec<_>>()
                .into_pyobject(py),
            DataType::UInt32 => numbers::<UInt32Type>(column).into_pyobject(py),
            DataType::UInt64 => numbers::<UInt64Type>(column).into_pyobject(py),
            DataType::Float32 => numbers::<Float32Type>(column).into_pyobject(py),
            DataType::Float64 => numbers::<Float64Type>(column).into_pyobject(py),
            other => Err(TrommelError::new_err(format!("a column of {other}"))),
        }
    }
}

fn numbers<T: ArrowPrimitiveType>(column: &ArrayRef) -> Vec<Option<T::Native>> {
    column.as_primitive::<T>().iter().collect()
}
