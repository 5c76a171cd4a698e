use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::collections::HashMap;

#[pymodule]
mod log_pyo3 {
    use super::*;

    #[pyfunction]
    fn parse<'py>(
        py: Python<'py>,
        lines: &Bound<'py, PyList>,
        weights: HashMap<String, f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut groups: HashMap<String, Vec<f64>> = HashMap::new();
        for (i, item) in lines.iter().enumerate() {
            let line = item.cast::<PyString>()?.to_str()?;
            let refuse = |why: &str| PyValueError::new_err(format!("line {}: {why}", i + 1));
            let mut fields = line.splitn(5, ' ').skip(1);
            let (Some(level), Some(service), Some(text)) =
                (fields.next(), fields.next(), fields.next())
            else {
                return Err(refuse("4 fields expected"));
            };
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let duration = text.parse::<f64>().ok().filter(|_| plain);
            let duration = duration.ok_or_else(|| refuse("not a duration"))?;
            let weight = weights
                .get(level)
                .ok_or_else(|| refuse(&format!("unknown level {level}")))?;
            match groups.get_mut(service) {
                Some(values) => values.push(weight * duration),
                None => drop(groups.insert(service.to_owned(), vec![weight * duration])),
            }
        }
        let array = py.import("array")?.getattr("array")?;
        let result = PyDict::new(py);
        for (service, values) in groups {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
            result.set_item(service, array.call1(("d", PyBytes::new(py, &bytes)))?)?;
        }
        Ok(result)
    }
}
